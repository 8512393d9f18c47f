/** What reading the types of values on the wire can report. */

export const WIRE = {
  FW340: {
    title: "Wrong number of type arguments",
    message: ({ mark, count, found }: { mark: string; count: number; found: number }): string =>
      count === 0
        ? `\`${mark}\` takes no type argument, but this has ${found}.`
        : `\`${mark}\` takes one type argument, but this has ${found === 0 ? "none" : found}.`,
    hint: "Write it like this: {example}",
  },
  FW341: {
    title: "Mark inside another type",
    message: "`{mark}` is inside another type, but a mark is the whole type of a parameter.",
    hint: "Write the other type inside the mark, as in `Query<string[]>`.",
  },
  FW342: {
    title: "Two bodies",
    message: "`{handler}` takes a second body here, but a request has only one.",
    hint: "Take both in one type: Body<{ … }>.",
  },
  FW343: {
    title: "Body of a GET or HEAD request",
    message: "`{handler}` takes a body, but a {method} request has none.",
    hint: "Take the values from the query with `{mark}`, or rename the handler to another method.",
  },
  FW344: {
    title: "Value taken twice",
    message: "`{handler}` takes {what} `{key}` a second time here.",
    hint: "Remove one of the two.",
  },
  FW345: {
    title: "Value that is not a text",
    message: "`{name}` is {what}, but a `{mark}` carries only texts.",
    hint: ({ what }: { what: string }): string =>
      what === "`null`"
        ? "Remove `null`. A value that may be missing has a `?`."
        : "Use strings, numbers, booleans, literals, `Date`, or arrays of these. Other types need a `Body`.",
  },
  FW346: {
    title: "File outside of a form",
    message: "A `File` comes in a form, so a `{mark}` can't have one.",
    hint: "Write `Form` in place of `{mark}`.",
  },
  FW347: {
    title: "Schema not exported",
    message: "{file} does not export `{name}`, so the framework can't ask it.",
    hint: "Write `export` before it: export const {name} = …",
  },
  FW348: {
    title: "Schema from a package",
    message: '`{name}` comes from "{from}", but a schema has to be exported by a file of the project.',
    hint: 'Write in a file of the project, and import it from there: export { {name} } from "{from}";',
  },
  FW349: {
    title: "Destructured value without properties",
    message: "`{mark}` has no object type here, so nothing says which key it reads.",
    hint: "Give the parameter a name, or write the properties: { page }: {mark}<{ page: int }>.",
  },
  FW350: {
    title: "API key without a header",
    message: "`ApiKey` needs the name of a header, but this is `{found}`.",
    hint: 'Write the name as a literal: ApiKey<"x-api-key">.',
  },
  FW351: {
    title: "Param of the path with a mark",
    message: "`{param}` is a param of the path, but the mark of `{name}` takes it from elsewhere.",
    hint: "Write `{name}: int` or `{name}: string`, or give the parameter another name.",
  },
} as const;
