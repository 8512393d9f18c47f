/** What reading signatures, and the types and functions that they name, can report, by permanent codes FW3xx. */

import type { Nearest } from "./project.ts";

export const SIGNATURES = {
  FW301: {
    title: "Syntax error",
    message: "This is not TypeScript: {why}.",
    hint: (): null => null,
  },
  FW302: {
    title: "Rest parameter",
    message: "`{handler}` has a rest parameter, but a route has a fixed number of segments.",
    hint: "Name each param: (request: Request, id: int).",
  },
  FW303: {
    title: "Destructured parameter",
    message: "A destructured parameter has no name, so {why}.",
    hint: "{hint}",
  },
  FW304: {
    title: "Second request",
    message: "`{handler}` asks for the request twice: `{name}` is the second time.",
    hint: "Remove one of the two parameters.",
  },
  FW305: {
    title: "`request` of another type",
    message: "The parameter `request` is typed `{type}`, but a parameter of that name is the request.",
    hint: "Type it `Request`, or give the param another name.",
  },
  FW306: {
    title: "Type that a param can't have",
    message: "The param `{name}` has the type `{type}`, but a path segment can't be one.",
    hint: ({ suggestion }: { suggestion: string | undefined }): string =>
      suggestion ??
      "Without a mark it is `int` for digits, `string` for text, either with constraints or as literals, or `Request`.",
  },
  FW307: {
    title: "Wrong import of a type of the framework",
    message: "`{name}` {why}.",
    hint: "Write: {right}",
  },
  FW311: {
    title: "Unreadable signature",
    message: "The signature of `{handler}` can't be read: {why}.",
    hint: ({ handler }: { handler: string }): string =>
      `Write it as a function and call what it needs inside: export function ${handler === "delete" ? "del" : handler}(request: Request) { … }`,
  },
  FW312: {
    title: "Not a function",
    message: "`{name}` has to be a function, but it is {what}.",
    hint: ({ instead = "Write it as a function, or give it another name" }: { instead?: string }): string =>
      `${instead}.`,
  },
  FW315: {
    severity: "warning",
    title: "Optional parameter that always has a value",
    message: "`{name}` is optional here, but {why}.",
    hint: "{hint}",
  },
  FW316: {
    severity: "warning",
    title: "Param that looks like the request",
    message: "`{name}` has no type, so it is a segment of the path and not the request.",
    hint: "Write `{name}: Request`, or name it `request`.",
  },
  FW318: {
    title: "TypeScript that can't be erased",
    message: "This is {what}: Node only erases types, and this is more than a type.",
    hint: "Write {instead} in its place.",
  },
  FW319: {
    title: "Name declared twice",
    message: ({ name, other }: { name: string; other?: string }): string =>
      other === undefined
        ? `\`${name}\` is declared twice.`
        : `\`${name}\` is declared twice: \`${other}\` is another name for it.`,
    hint: ({ instead }: { instead?: string | undefined }): string =>
      instead === undefined
        ? "Rename or remove one of the two."
        : `A list and one item need two handlers: move the item's to ${instead}.`,
  },
  FW320: {
    title: "File that imports the main file",
    message: "{file} imports app.ts, which waits for {file} to load.",
    hint: "Move what both need into a third file, and import that in both.",
  },

  FW323: {
    title: "Type that no request can carry",
    message: "A request can't carry {what}.",
    hint: "Write {instead}.",
  },
  FW324: {
    title: "Type that is not evaluated",
    message: "The framework does not evaluate {what}.",
    hint: "Write {instead}.",
  },
  FW325: {
    title: "Union that nothing tells apart",
    message: "Nothing in a value tells `{one}` from `{other}`.",
    hint: "{instead}.",
  },
  FW327: {
    title: "Name that can't be found",
    message: "`{name}` can't be found: {why}.",
    hint: ({ nearest, right, unread, isProperty }: LostName): string => {
      if (right !== undefined) return `Write at the top: ${right}`;
      if (nearest !== undefined) return `Did you mean \`${nearest}\`?`;
      if (isProperty === true) return "Write a property that it has.";
      return unread === true
        ? "Correct that first. Names are read from .ts, .mts, .js and .mjs files."
        : "Declare it, or import it from a file of the project, by its path with the ending.";
    },
  },
  FW328: {
    title: "Type that can't be read",
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
  FW340: {
    title: "Wrong type argument",
    message: "`{name}` takes {wanted}, but here it has {found}.",
    hint: "Write it like this: {example}",
  },
  FW341: {
    title: "Type of the framework inside another type",
    message: "`{mark}` is inside another type, but it has to be the whole type of a parameter.",
    hint: "{instead}",
  },
  FW343: {
    title: "Body of a GET or HEAD request",
    message: "`{handler}` takes a body, but {request} has none.",
    hint: "Take the values from the query with `Query`, or serve them by another method.",
  },
  FW344: {
    title: "Value taken twice",
    message: "`{handler}` takes {what} a second time here.",
    hint: "Remove one of the two, or take both in one type.",
  },
  FW345: {
    title: "Value that a mark can't carry",
    message: "`{name}` is {what}, which a `{mark}` can't carry.",
    hint: ({ what, mark }: { what: string; mark: string }): string => {
      if (what === "a `File`") return `A \`File\` comes in a form: write \`Form\` in place of \`${mark}\`.`;
      return what === "`null`"
        ? "Remove `null`. A value that may be missing has a `?`."
        : "Use strings, numbers, booleans, literals, `Date`, or arrays of these. Other types need a `Body`.";
    },
  },
  FW347: {
    title: "Value not exported",
    message: "{file} does not export `{name}`, so the framework can't use it.",
    hint: "Write `export` before it.",
  },
  FW348: {
    title: "Value from a package",
    message: '`{name}` comes from "{from}", but it has to be exported by a file of the project.',
    hint: ({ name, from, instead }: { name: string; from: string; instead?: string }): string => {
      if (from.startsWith("#"))
        return 'If it is a file of the project, package.json needs: "imports": { "#*": "./*" }';
      const own = /[^.]+$/.exec(name)?.[0] ?? name;
      return (
        instead ??
        `Export it from a file of the project, and import it from there: export { ${own} } from "${from}";`
      );
    },
  },
  FW351: {
    title: "Param of the path with a mark",
    message: "`{param}` is a param of the path, but the type of `{name}` takes it from elsewhere.",
    hint: "Write `{name}: int` or `{name}: string`, or give the parameter another name.",
  },
  FW352: {
    title: "`From` without a provider",
    message: "`From` needs `typeof` and the name of a provider, but {why}.",
    hint: "{hint}",
  },
  FW360: {
    title: "Providers in a circle",
    message: "A provider needs itself: `{chain}`.",
    hint: "Move what two of them need into a third function, or call that one inside.",
  },
  FW361: {
    title: "Value of two types",
    message: "`{one}` takes `{take}`, but `{other}` takes `{otherTake}`, and {what} can't be both.",
    hint: "Take one of them in both, or give one of them another name.",
  },
  FW363: {
    title: "Param that a guard needs",
    message: "`{guard}` needs the param `{name}: {type}`, but in {pattern} {found}.",
    hint: "The guard of {folder} holds for each route in it and below. Add the param, or move the route.",
  },
  FW364: {
    title: "Whole path of another type",
    message: "{why}.",
    hint: "{hint}",
  },
  FW370: {
    title: "Pattern that can't be used",
    message: "The pattern {why}.",
    hint: "{hint}",
  },
  FW371: {
    title: "Pattern that backtracks without bound",
    message: "A long text like {example} can keep the pattern's `{part}` busy without bound.",
    hint: ({ unanchored, safeLength }: { unanchored: boolean; safeLength: number }): string => {
      const rewrite = unanchored
        ? "Begin it with `^`, so that it is tried at one place only."
        : "Let each text fit in one way: `^a+$` instead of `^(a+)+$`.";
      return safeLength < 16 ? rewrite : `${rewrite} Or add \`MaxLength<${safeLength}>\`, or less.`;
    },
  },
  FW374: {
    title: "Type that a linter deletes",
    message: "To TypeScript `{other}` is the same type as `{one}`, so a linter's `--fix` deletes it.",
    hint: "Write the type once, with the constraints of both: {example}",
  },
} as const;

interface LostName extends Nearest {
  /** The import to write. */
  readonly right?: string | undefined;
  /** A file on the way is missing, or has errors. */
  readonly unread?: boolean | undefined;
  /** Of a type, and not of a file. */
  readonly isProperty?: boolean;
}
