/** What reading the types of values on the wire can report. */

interface LostName {
  readonly nearest: string | undefined;
  /** The import to write. */
  readonly right: string | undefined;
  /** A file on the way is missing, or has errors. */
  readonly unread: boolean;
}

export const WIRE = {
  FW321: {
    title: "Enum",
    message: "`{name}` is an enum, and a request can't carry one.",
    hint: ({ name }: { name: string }): string =>
      [
        "Write the values as an object and the type as its values:",
        `const ${name} = { Admin: "admin", Guest: "guest" } as const;`,
        `type ${name} = (typeof ${name})[keyof typeof ${name}];`,
      ].join("\n"),
  },
  FW322: {
    title: "Class",
    message: "`{name}` is a class, and a request can't carry one.",
    hint: "Declare what its values look like: interface {name} { … }",
  },
  FW323: {
    title: "Type that no request can carry",
    message: "A request can't carry {what}.",
    hint: "Write {instead}.",
  },
  FW324: {
    title: "Type that is not evaluated",
    message: "This is {what}, which the framework does not evaluate.",
    hint: "Write {instead}.",
  },
  FW325: {
    title: "Union that nothing tells apart",
    message: "Nothing in a value tells `{one}` from `{other}`.",
    hint: "{instead}.",
  },
  FW326: {
    title: "Type from a package",
    message: '`{name}` comes from "{from}": {why}.',
    hint: "Declare the type in the project, or use a Standard Schema: Body<typeof schema>.",
  },
  FW327: {
    title: "Unknown type",
    message: "The type `{name}` can't be found: {why}.",
    hint: ({ nearest, right, unread }: LostName): string => {
      if (right !== undefined) return `Write at the top: ${right}`;
      if (nearest !== undefined) return `Did you mean \`${nearest}\`?`;
      return unread
        ? "Correct that first. Until then its types are not known."
        : "Declare it, or import it from a file of the project.";
    },
  },
  FW328: {
    title: "Type without an end",
    message: "The type `{type}` can't be read: {why}.",
    hint: "{instead}.",
  },
  FW329: {
    title: "Type that no value fits",
    message: "No value fits `{type}`: {why}.",
    hint: "{instead}.",
  },
  FW330: {
    title: "Constraint in the wrong place",
    message: "`{constraint}` constrains {wanted}, but here it has {found}.",
    hint: "Write it like this: {example}",
  },
  FW331: {
    title: "Bad argument of a constraint",
    message: "`{constraint}` takes {wanted}, but this is `{found}`.",
    hint: "Write it like this: {example}",
  },
  FW332: {
    title: "Undefined in a value",
    message: "A request can't carry `{type}` here: JSON has no undefined.",
    hint: "Make the member optional with `?`, or write `null`.",
  },
  FW333: {
    title: "Missing property",
    message: "`{type}` has no property `{key}`.",
    hint: ({ nearest }: { nearest: string | undefined }): string =>
      nearest === undefined ? "Write a property that it has." : `Did you mean \`${nearest}\`?`,
  },
  FW334: {
    title: "Unsupported property name",
    message: "{what} can't be the name of a property here.",
    hint: "Write {instead}.",
  },
  FW335: {
    title: "Missing type argument",
    message: "`{name}` needs a type for `{parameter}`.",
    hint: "Write it like this: {example}",
  },
  FW336: {
    title: "Framework type in a value",
    message: "`{name}` belongs to the framework, so it can't be part of a value.",
    hint: "Make it the type of a parameter: {example}",
  },
  FW337: {
    title: "Unreadable constant",
    message: "The type of `{name}` can't be read: {why}.",
    hint: "{instead}.",
  },
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
    hint: ({ mark }: { mark: string }): string =>
      mark === "From"
        ? "Let the provider return all of the value."
        : "Write the other type inside the mark, as in `Query<string[]>`.",
  },
  FW342: {
    title: "Two bodies",
    message: "`{handler}` takes a second body here, but a request has only one.",
    hint: "Take both in one type: Body<{ … }>.",
  },
  FW343: {
    title: "Body of a GET or HEAD request",
    message: ({ handler, method, pattern }: UnsentBody): string =>
      `\`${handler}\` takes a body, but ${pattern === undefined ? `a ${method} request` : `${method} ${pattern}`} has none.`,
    hint: ({ mark, pattern }: UnsentBody): string =>
      pattern === undefined
        ? `Take the values from the query with \`${mark}\`, or rename the handler to another method.`
        : `Take the values from the query with \`${mark}\`, or move each GET and HEAD route to another folder.`,
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
  FW370: {
    title: "Not a regular expression",
    message: "The pattern `{source}` is not a regular expression: {why}.",
    hint: "It has the flag `u`: escape only what has a meaning, and double each backslash in the type.",
  },
  FW371: {
    title: "Pattern that backtracks without bound",
    message: "A text can keep the pattern's `{part}` busy without bound: {example}.",
    hint: ({ unanchored, safeLength }: { unanchored: boolean; safeLength: number }): string => {
      const rewrite = unanchored
        ? "Begin it with `^`, so that it is tried at one place only."
        : "Let each text fit in one way: `^a+$` instead of `^(a+)+$`.";
      return safeLength < 16 ? rewrite : `${rewrite} Or add \`MaxLength<${safeLength}>\`, or less.`;
    },
  },
  FW372: {
    title: "Pattern that can't be checked",
    message: "Whether the pattern backtracks without bound can't be checked: it has {what}.",
    hint: "Write it without, or check the value in the handler.",
  },
  FW373: {
    title: "Backslash that is lost",
    message: "The pattern has `{lost}`, and in a TypeScript text a single backslash is lost.",
    hint: "Write two backslashes: `\\{lost}`.",
  },
  FW374: {
    title: "Type that a linter deletes",
    message: "To TypeScript `{other}` is the same type as `{one}`, so a linter's `--fix` deletes it.",
    hint: "Write the type once, with the constraints of both: {example}",
  },
} as const;

interface UnsentBody {
  readonly handler: string;
  readonly method: string;
  readonly mark: string;
  /** Of the route, where it is a guard that takes the body. */
  readonly pattern?: string | undefined;
}
