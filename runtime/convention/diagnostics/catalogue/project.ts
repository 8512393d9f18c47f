/** Every finding about a project that reading it or loading it can make, by its permanent code. Generators keep theirs, FW6xx, beside them. */

import type { Method } from "#runtime/core/routing/route";
import { APP_CONFIG_FILE, MAIN_FILE } from "../../layout.ts";
import { adviseOnLoadFailure } from "../load-failure.ts";

const SUPPORTED_TYPES = "`int` or `number` for digits, `string` or `str` for text, `Request` for the request";

/** A code once given is never given to anything else; one that is no longer made is kept out of use. */
export const PROJECT = {
  FW101: {
    severity: "error",
    title: "No framework.toml",
    message: (_: Record<never, never>): string => "The project has no framework.toml.",
    hint: (): string => 'Create one that lists the apps: apps = ["products", "users"].',
  },
  FW102: {
    severity: "error",
    title: "Malformed TOML",
    message: ({ why }: { why: string }): string => `This is not TOML: ${why}.`,
    hint: (): string => "The format is described at https://toml.io.",
  },
  FW103: {
    severity: "error",
    title: "Unknown key",
    message: ({ key }: { key: string }): string => `There is no setting \`${key}\`.`,
    hint: ({
      nearest,
      known,
      place,
    }: {
      nearest: string | undefined;
      known: readonly string[];
      place: string | undefined;
    }): string => {
      if (place !== undefined) return `Write it ${place}.`;
      return nearest === undefined
        ? `The settings here are ${known.join(", ")}.`
        : `Did you mean \`${nearest}\`?`;
    },
  },
  FW104: {
    severity: "error",
    title: "Wrong type of value",
    message: ({ key, wanted, found }: { key: string; wanted: string; found: string }): string =>
      `\`${key}\` has to be ${wanted}, and this is ${found}.`,
    hint: ({ example }: { example: string }): string => `Write it like this: ${example}`,
  },
  FW105: {
    severity: "error",
    title: "Value out of range",
    message: ({ key, wanted, found }: { key: string; wanted: string; found: string }): string =>
      `\`${key}\` has to be ${wanted}, and this is ${found}.`,
    hint: ({ example }: { example: string }): string => `Write it like this: ${example}`,
  },
  FW106: {
    severity: "error",
    title: "Timeouts that contradict",
    message: ({ headers, request }: { headers: number; request: number }): string =>
      `headers_timeout (${headers} s) is longer than request_timeout (${request} s), which includes it.`,
    hint: (): string => "Make headers_timeout the shorter one.",
  },
  FW107: {
    severity: "error",
    title: "App listed twice",
    message: ({ app }: { app: string }): string => `The app \`${app}\` is listed twice.`,
    hint: (): string => "Remove one of the two.",
  },
  FW108: {
    severity: "error",
    title: "Bad app name",
    message: ({ refusal }: { refusal: string; hint: string }): string => `${refusal}.`,
    hint: ({ hint }: { hint: string }): string => hint,
  },
  FW109: {
    severity: "error",
    title: "App without a folder",
    message: ({ app }: { app: string; nearest: string | undefined }): string =>
      `The app \`${app}\` has no folder apps/${app}/.`,
    hint: ({ app, nearest }: { app: string; nearest: string | undefined }): string =>
      nearest === undefined
        ? `Create it with \`npx framework generate app ${app}\`, or take it off the list.`
        : `Did you mean \`${nearest}\`?`,
  },
  FW110: {
    severity: "error",
    title: "App without app.toml or views.ts",
    message: ({ app, file }: { app: string; file: string }): string => `The app \`${app}\` has no ${file}.`,
    hint: ({ app, file, nearest }: { app: string; file: string; nearest: string | undefined }): string => {
      if (nearest !== undefined) return `Is apps/${app}/${nearest} meant? Then rename it to ${file}.`;
      return file === APP_CONFIG_FILE
        ? `Create apps/${app}/app.toml. It may be empty: the prefix is then /${app}.`
        : `Create apps/${app}/views.ts with a handler: export function get_index() { return { app: "${app}" }; }`;
    },
  },
  FW111: {
    severity: "error",
    title: "Bad prefix",
    message: ({ prefix, why }: { prefix: string; why: string }): string =>
      `\`${prefix}\` can't be a prefix: ${why}.`,
    hint: ({ hint }: { hint: string }): string => hint,
  },
  FW112: {
    severity: "warning",
    title: "App folder that is not listed",
    message: ({ app }: { app: string }): string =>
      `apps/${app}/ looks like an app, but framework.toml does not list it, so nothing in it is served.`,
    hint: ({ app }: { app: string }): string => `Add "${app}" to \`apps\`, or move the folder out of apps/.`,
  },
  FW113: {
    severity: "error",
    title: "Unreadable file or folder",
    message: ({ file, why }: { file: string; why: string }): string => `${file} can't be read: ${why}.`,
    hint: (): string => "Check whether it is a file or a folder, and its permissions.",
  },
  FW114: {
    severity: "error",
    title: "Not UTF-8",
    message: ({ file }: { file: string }): string => `${file} is not UTF-8 text: these bytes mean nothing.`,
    hint: (): string => "Save it as UTF-8.",
  },
  FW115: {
    severity: "warning",
    title: "Symbolic link that leads in a circle",
    message: ({ file }: { file: string }): string =>
      `${file} leads back to a folder above it, so it is left out.`,
    hint: (): string => "Remove the link, or begin its name with `_`.",
  },
  FW116: {
    severity: "error",
    title: "Setting outside of [app]",
    message: ({ keys }: { keys: readonly string[] }): string => {
      const names = keys.map((key) => `\`${key}\``).join(" and ");
      return `${names} ${keys.length === 1 ? "belongs" : "belong"} in the table \`[app]\`.`;
    },
    hint: ({ lines }: { lines: readonly string[] }): string =>
      ["Write it like this:", "[app]", ...lines].join("\n"),
  },

  FW201: {
    severity: "error",
    title: "Malformed handler name",
    message: ({ refusal }: { refusal: string; hint: string }): string => `${refusal}.`,
    hint: ({ hint }: { hint: string }): string => hint,
  },
  FW202: {
    severity: "warning",
    title: "Nearly a handler name",
    message: ({ name }: { name: string; suggestion: string }): string =>
      `\`${name}\` is exported but not served: a handler's name is a lowercase method, an underscore and the endpoint.`,
    hint: ({ suggestion }: { suggestion: string }): string =>
      `Did you mean \`${suggestion}\`? If it is no handler, keep it in another file or don't export it.`,
  },
  FW203: {
    severity: "warning",
    title: "Handler that is not exported",
    message: ({ name }: { name: string }): string =>
      `\`${name}\` has a handler's name but is not exported, so it is not served.`,
    hint: ({ name }: { name: string }): string => `Write \`export\` before it, or rename \`${name}\`.`,
  },
  FW204: {
    severity: "warning",
    title: "Default export",
    message: (_: { suggestion: string }): string =>
      "A default export is not served: a handler is found by the name it is exported under.",
    hint: ({ suggestion }: { suggestion: string }): string =>
      `Export it by name: \`export function ${suggestion}(…)\`.`,
  },
  FW205: {
    severity: "error",
    title: "Route file with a bad name",
    message: ({ refusal }: { refusal: string; hint: string }): string => `${refusal}.`,
    hint: ({ hint }: { hint: string }): string => hint,
  },
  FW206: {
    severity: "warning",
    title: "Nearly a method",
    message: ({ name }: { name: string; suggestion: string }): string =>
      `\`${name}\` is exported but not served: in a route file a handler is named after its method alone.`,
    hint: ({ suggestion }: { suggestion: string }): string => `Did you mean \`${suggestion}\`?`,
  },
  FW207: {
    severity: "info",
    title: "File that serves nothing",
    message: ({ file }: { file: string; example: string }): string =>
      `${file} exports no handler, so it serves nothing.`,
    hint: ({ example }: { example: string }): string => example,
  },
  FW208: {
    severity: "warning",
    title: "Route file that is not .ts",
    message: ({ file }: { file: string }): string => `${file} is not served: a route file ends in .ts.`,
    hint: (): string => "Rename it to .ts, or begin its name with `_` if it is no route file.",
  },
  FW209: {
    severity: "error",
    title: "Two names for DELETE",
    message: (_: Record<never, never>): string =>
      "The file exports both `delete` and `del`, and both are the DELETE handler.",
    hint: (): string => "Remove one of the two.",
  },
  FW210: {
    severity: "warning",
    title: "Names that differ only by case",
    message: ({ files, by, systems }: { files: readonly string[]; by: string; systems: string }): string =>
      `${files.join(" and ")} differ only ${by}, so on ${systems} only one of them is there.`,
    hint: (): string => "Rename one of them.",
  },
  FW211: {
    severity: "error",
    title: "Placed param that no parameter has",
    message: ({ refusal }: { refusal: string; hint: string }): string => `${refusal}.`,
    hint: ({ hint }: { hint: string }): string => hint,
  },
  FW212: {
    severity: "warning",
    title: "Word that is a param's name",
    message: ({
      handler,
      text,
      param,
      pattern,
    }: {
      handler: string;
      text: string;
      param: string;
      pattern: string;
      suggestion: string;
    }): string =>
      `\`${text}\` in \`${handler}\` is fixed text, and the param \`${param}\` comes later: ${pattern}.`,
    hint: ({ suggestion }: { suggestion: string }): string =>
      `Did you mean \`${suggestion}\`? If the text is meant, give the parameter another name.`,
  },

  FW301: {
    severity: "error",
    title: "Syntax error",
    // The parser ends some of its sentences with a full stop.
    message: ({ why }: { why: string }): string => `This is not TypeScript: ${why.replace(/\.$/, "")}.`,
    hint: (): null => null,
  },
  FW302: {
    severity: "error",
    title: "Rest parameter",
    message: ({ handler }: { handler: string }): string =>
      `\`${handler}\` has a rest parameter, and a route has a fixed number of segments.`,
    hint: (): string => "Name each param: (request: Request, id: int).",
  },
  FW303: {
    severity: "error",
    title: "Destructured parameter",
    message: ({ handler }: { handler: string }): string =>
      `\`${handler}\` takes a parameter apart, so the param has no name.`,
    hint: (): string => "Name the parameter and take it apart inside the function.",
  },
  FW304: {
    severity: "error",
    title: "Second request",
    message: ({ handler, name }: { handler: string; name: string }): string =>
      `\`${handler}\` asks for the request twice: \`${name}\` is the second time.`,
    hint: (): string => "Remove one of the two parameters.",
  },
  FW305: {
    severity: "error",
    title: "`request` that is no Request",
    message: ({ type }: { type: string }): string =>
      `The parameter \`request\` is typed \`${type}\`, but a parameter of that name is the request.`,
    hint: (): string => "Type it `Request`, or give the param another name.",
  },
  FW306: {
    severity: "error",
    title: "Unsupported param type",
    message: ({ name, type }: { name: string; type: string; suggestion: string | undefined }): string =>
      `The param \`${name}\` has the type \`${type}\`, which no segment of a path can be.`,
    hint: ({ suggestion }: { suggestion: string | undefined }): string =>
      `${suggestion === undefined ? "" : `${suggestion} `}The types are ${SUPPORTED_TYPES}.`,
  },
  FW307: {
    severity: "error",
    title: "Type that is not imported",
    message: ({ type }: { type: string }): string =>
      `\`${type}\` is used here but neither imported nor declared in this file.`,
    hint: ({ type }: { type: string }): string =>
      `Write at the top: import type { ${type} } from "framework";`,
  },
  FW308: {
    severity: "error",
    title: "Type that can't be followed",
    message: ({ type, why }: { type: string; why: string }): string =>
      `What \`${type}\` is can't be read: ${why}.`,
    hint: (): string => `Write the type itself at the parameter: ${SUPPORTED_TYPES}.`,
  },
  FW309: {
    severity: "error",
    title: "Import that the framework does not have",
    message: ({ name, from }: { name: string; from: string; right: string }): string =>
      `"${from}" has no \`${name}\` to import.`,
    hint: ({ right }: { right: string }): string => `Write: ${right}`,
  },
  FW310: {
    severity: "error",
    title: "Type imported from elsewhere",
    message: ({ name, from }: { name: string; from: string; type: string }): string =>
      `\`${name}\` comes from "${from}", so it is not the framework's.`,
    hint: ({ type }: { type: string }): string => `Write: import type { ${type} } from "framework";`,
  },
  FW311: {
    severity: "error",
    title: "Handler whose signature can't be read",
    message: ({ handler, why }: { handler: string; why: string }): string =>
      `The signature of \`${handler}\` can't be read: ${why}.`,
    hint: ({ handler }: { handler: string }): string =>
      `Write it as a function and call what it needs inside: export function ${handler === "delete" ? "del" : handler}(request: Request) { … }`,
  },
  FW312: {
    severity: "error",
    title: "Handler that is no function",
    message: ({ handler, what }: { handler: string; what: string }): string =>
      `\`${handler}\` has a handler's name but is ${what}.`,
    hint: (): string => "Make it a function, or give it another name.",
  },
  FW313: {
    severity: "error",
    title: "Re-export that can't be resolved",
    message: ({ what, why }: { what: string; why: string; nearest: string | undefined }): string =>
      `The re-export of ${what} can't be followed: ${why}.`,
    hint: ({ nearest }: { nearest: string | undefined }): string =>
      nearest === undefined
        ? "Re-export from a .ts file of the project, by its relative path or an alias, with the ending."
        : `Did you mean \`${nearest}\`?`,
  },
  FW314: {
    severity: "error",
    title: "Ambiguous export",
    message: ({ name }: { name: string }): string =>
      `Two \`export *\` bring \`${name}\`, and JavaScript then exports neither.`,
    hint: ({ name }: { name: string }): string => `Say which: export { ${name} } from "…";`,
  },
  FW315: {
    severity: "warning",
    title: "Optional param",
    message: ({ name }: { name: string }): string =>
      `The param \`${name}\` is optional here, but its segment has to be in the path for the route to match.`,
    hint: ({ name }: { name: string }): string =>
      `Make \`${name}\` required, or read it from \`request.query\`.`,
  },
  FW316: {
    severity: "warning",
    title: "Param that looks like the request",
    message: ({ name }: { name: string }): string =>
      `\`${name}\` has no type, so it is a segment of the path and not the request.`,
    hint: ({ name }: { name: string }): string => `Write \`${name}: Request\`, or name it \`request\`.`,
  },
  FW317: {
    severity: "error",
    title: "Handler without a body",
    message: ({ handler }: { handler: string }): string =>
      `\`${handler}\` is declared without a body, so nothing is exported.`,
    hint: (): string => "Write the function's body.",
  },
  FW318: {
    severity: "error",
    title: "TypeScript that is more than types",
    message: ({ what }: { what: string; instead: string }): string =>
      `This is ${what}: Node takes the types out of a file and runs the rest, and here more than types would have to go.`,
    hint: ({ instead }: { what: string; instead: string }): string => `Write ${instead} in its place.`,
  },
  FW319: {
    severity: "error",
    title: "Name declared twice",
    message: ({ name }: { name: string; instead: string | undefined }): string =>
      `This file declares \`${name}\` a second time.`,
    hint: ({ instead }: { name: string; instead: string | undefined }): string =>
      instead === undefined
        ? "Rename one of the two."
        : `A list and one item need two handlers: move the item's to ${instead}.`,
  },
  FW320: {
    severity: "error",
    title: "Handler file that imports the main file",
    message: ({ file }: { file: string }): string =>
      `${file} imports ${MAIN_FILE}, which waits for ${file} to be loaded.`,
    hint: (): string => `Move what both need into a file of its own, and import that in both.`,
  },

  FW401: {
    severity: "error",
    title: "Conflict",
    message: ({
      handlers,
      method,
      url,
    }: {
      handlers: readonly string[];
      method: Method;
      url: string;
      hasParams: boolean;
    }): string => `${handlers.join(" and ")} serve the same requests, such as ${method} ${url}.`,
    hint: ({ hasParams }: { hasParams: boolean }): string =>
      hasParams
        ? "Rename or remove one: the names of params don't tell two routes apart, only their types do."
        : "Rename or remove one.",
  },
  FW402: {
    severity: "warning",
    title: "Param that nearly is the bracket's",
    message: ({ name, bracket }: { name: string; bracket: string }): string =>
      `The parameter \`${name}\` is not the \`[${bracket}]\` of the file's path, so it is a further segment after it.`,
    hint: ({ bracket }: { name: string; bracket: string }): string => `Did you mean \`${bracket}\`?`,
  },
  FW403: {
    severity: "error",
    title: "Bracket that is the request",
    message: ({ name }: { name: string }): string =>
      `\`[${name}]\` is a param of the path, but the parameter \`${name}\` is typed as the request.`,
    hint: (): string => "Give the request another name.",
  },
  FW404: {
    severity: "error",
    title: "Route that the health path hides",
    message: ({ method, path }: { method: string; path: string }): string =>
      `${method} ${path} is answered by \`health = ${JSON.stringify(path)}\` in framework.toml, so this handler would never be called.`,
    hint: (): string => 'Rename the handler, or give `[server] health` another path, or "" for none.',
  },
  FW405: {
    severity: "warning",
    title: "Bracket beside an appended param",
    message: ({
      handler,
      bracket,
      name,
      pattern,
    }: {
      handler: string;
      bracket: string;
      name: string;
      pattern: string;
    }): string =>
      `\`${handler}\` has no parameter for \`[${bracket}]\`, and its \`${name}\` is a further segment: ${pattern}.`,
    hint: ({ bracket, name }: { handler: string; bracket: string; name: string; pattern: string }): string =>
      `Name the parameter \`${bracket}\` if it is the bracket's, or add \`${bracket}\` before \`${name}\`.`,
  },

  FW501: {
    severity: "error",
    title: "Export that is missing",
    message: ({ handler, module }: { handler: string; module: string }): string =>
      `${module} was read as exporting the handler \`${handler}\`, but when it was loaded there was no such function.`,
    hint: (): string => "Declare it as an exported function, and decide inside it what it answers.",
  },
  FW502: {
    severity: "error",
    title: "Export that was not read",
    message: ({ handler, module }: { handler: string; module: string }): string =>
      `When ${module} was loaded it exported \`${handler}\`, a handler's name that reading the file did not show.`,
    hint: ({ module }: { module: string }): string =>
      `Export it by its name in ${module} itself, or give it another name.`,
  },
  FW503: {
    severity: "error",
    title: "Module that failed to load",
    message: ({ module, why }: { module: string; why: string }): string =>
      `${module} could not be loaded: ${why}`,
    hint: ({ why }: { module: string; why: string }): string | null => adviseOnLoadFailure(why),
  },
} as const;
