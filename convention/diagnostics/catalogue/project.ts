/** What reading or loading a project can report, by permanent codes FW1xx to FW5xx. */

import type { Method } from "#runtime/routing/route";
import { APP_CONFIG_FILE } from "../../layout.ts";
import { listed } from "../entry.ts";
import { adviseOnLoadFailure } from "../load-failure.ts";

export const PROJECT = {
  FW101: {
    title: "No framework.toml",
    message: "The project has no framework.toml.",
    hint: 'Create one that lists the apps: apps = ["products", "users"].',
  },
  FW102: {
    title: "Malformed TOML",
    message: "This is not TOML: {why}.",
    hint: "See https://toml.io for the format.",
  },
  FW103: {
    title: "Unknown key",
    message: "There is no setting `{key}`.",
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
        ? `The settings here are ${listed(known)}.`
        : `Did you mean \`${nearest}\`?`;
    },
  },
  FW104: {
    title: "Wrong type of value",
    message: "`{key}` must be {wanted}, but this is {found}.",
    hint: "Write it like this: {example}",
  },
  FW105: {
    title: "Value out of range",
    message: "`{key}` must be {wanted}, but this is {found}.",
    hint: "Write it like this: {example}",
  },
  FW106: {
    title: "Contradictory timeouts",
    message: "headers_timeout ({headers} s) is longer than request_timeout ({request} s), which includes it.",
    hint: "Make headers_timeout the shorter one.",
  },
  FW107: {
    title: "App listed twice",
    message: "The app `{app}` is listed twice.",
    hint: "Remove one of the two.",
  },
  FW108: {
    title: "Bad app name",
    message: "{why}.",
    hint: "{hint}",
  },
  FW109: {
    title: "App without a folder",
    message: "The app `{app}` has no folder apps/{app}/.",
    hint: ({
      app,
      nearest,
      test,
    }: {
      app: string;
      nearest: string | undefined;
      test: string | undefined;
    }): string => {
      if (nearest !== undefined) return `Did you mean \`${nearest}\`?`;
      const removal = `remove it from the list${test === undefined ? "" : `, and delete ${test}`}`;
      return `Create it with \`npx framework generate app ${app}\`, or ${removal}.`;
    },
  },
  FW110: {
    title: "App without app.toml or views.ts",
    message: "The app `{app}` has no {file}.",
    hint: ({ app, file, nearest }: { app: string; file: string; nearest: string | undefined }): string => {
      if (nearest !== undefined) return `Did you mean apps/${app}/${nearest}? Rename it to ${file}.`;
      return file === APP_CONFIG_FILE
        ? `Create apps/${app}/app.toml. It may be empty: the prefix is then /${app}.`
        : `Create apps/${app}/views.ts with a handler: export function get_index() { return { app: "${app}" }; }`;
    },
  },
  FW111: {
    title: "Bad prefix",
    message: "`{prefix}` can't be a prefix: {why}.",
    hint: "{hint}",
  },
  FW112: {
    severity: "warning",
    title: "App not listed",
    message:
      "apps/{app}/ looks like an app, but framework.toml does not list it, so nothing in it is served.",
    hint: 'Add "{app}" to `apps`, or move the folder out of apps/.',
  },
  FW113: {
    title: "Unreadable file or folder",
    message: "{file} can't be read: {why}.",
    hint: "Check its permissions, and whether it is a file or a folder.",
  },
  FW114: {
    title: "Not UTF-8",
    message: "{file} is not valid UTF-8 text.",
    hint: "Save it as UTF-8.",
  },
  FW115: {
    severity: "warning",
    title: "Circular symbolic link",
    message: "{file} links back to a folder above it, so it is ignored.",
    hint: "Remove the link, or begin its name with `_`.",
  },
  FW116: {
    title: "Setting outside of [app]",
    message: ({ keys }: { keys: readonly string[] }): string => {
      const names = listed(keys.map((key) => `\`${key}\``));
      return `${names} ${keys.length === 1 ? "belongs" : "belong"} in the table \`[app]\`.`;
    },
    hint: ({ lines }: { lines: readonly string[] }): string =>
      ["Write it like this:", "[app]", ...lines].join("\n"),
  },
  FW117: {
    title: "Malformed origin",
    message: "`{origin}` can't be an origin: {why}.",
    hint: "{hint}",
  },
  FW118: {
    title: "No origin in [cors]",
    message: "`[cors]` lists no origin, so no other site can read an answer.",
    hint: 'List the sites that may: origins = ["https://shop.example"]. "*" alone is every site.',
  },
  FW119: {
    title: "Credentials with `*`",
    message: '`{key}` has "*", but with `credentials = true` browsers do not take that as every {what}.',
    hint: "List each {what}, or remove `credentials`.",
  },
  FW120: {
    title: "Value listed twice",
    message: "`{key}` lists `{value}` twice.",
    hint: "Remove one of the two.",
  },
  FW121: {
    title: "`*` beside others",
    message: '`{key}` lists others beside "*", which already includes them.',
    hint: 'Keep "*" alone, or remove it.',
  },
  FW122: {
    title: "Malformed open route",
    message: "`exposure.open` can't list `{entry}`: {why}.",
    hint: "{hint}",
  },
  FW123: {
    title: "Malformed server",
    message: "`contract.servers` can't list `{server}`: {why}.",
    hint: "{hint}",
  },

  FW201: {
    title: "Malformed handler name",
    message: "{why}.",
    hint: "{hint}",
  },
  FW202: {
    severity: "warning",
    title: "Nearly a handler name",
    message:
      "`{name}` is exported but not served: a handler's name is a lowercase method, an underscore and the endpoint.",
    hint: "Did you mean `{suggestion}`? If it is not a handler, move it to another file or don't export it.",
  },
  FW203: {
    severity: "warning",
    title: "Handler not exported",
    message: "`{name}` has a handler's name but is not exported, so it is not served.",
    hint: "Write `export` before it, or rename `{name}`.",
  },
  FW204: {
    severity: "warning",
    title: "Default export",
    message: "A default export is not served: a handler is found by the name of its export.",
    hint: "Export it by name: `export function {suggestion}(…)`.",
  },
  FW205: {
    title: "Bad route file name",
    message: "{why}.",
    hint: "{hint}",
  },
  FW206: {
    severity: "warning",
    title: "Nearly a method",
    message:
      "`{name}` is exported but not served: in a route file a handler is named after its method alone.",
    hint: "Did you mean `{suggestion}`?",
  },
  FW207: {
    severity: "info",
    title: "File that serves nothing",
    message: "{file} exports no handler, so it serves nothing.",
    hint: "Export a handler named after its method: export function get() { … }. A name that begins with `_` is not a route file.",
  },
  FW208: {
    severity: "warning",
    title: "Route file that is not .ts",
    message: "{file} is not served: a route file ends in .ts.",
    hint: "Rename it to .ts, or begin its name with `_` if it is not a route file.",
  },
  FW209: {
    title: "Two names for DELETE",
    message: "The file exports both `delete` and `del`, and each is a DELETE handler.",
    hint: "Remove one of the two.",
  },
  FW210: {
    severity: "warning",
    title: "Names that differ only by case",
    message: "{files} differ only {by}, so on {systems} only one of them can exist.",
    hint: "Rename one of them.",
  },
  FW211: {
    title: "Placed param without a parameter",
    message: "{why}.",
    hint: "{hint}",
  },
  FW212: {
    severity: "warning",
    title: "Param name as fixed text",
    message: "`{text}` in `{handler}` is fixed text, and the param `{param}` comes later: {pattern}.",
    hint: "Did you mean `{suggestion}`? If you mean the text, rename the parameter.",
  },
  FW213: {
    severity: "warning",
    title: "Param that the name does not place",
    message: "The param `{name}` comes after those that `{handler}` places, so clients choose it: {pattern}.",
    hint: "Did you mean `{suggestion}`? If clients must not choose it, write `{name}: From<typeof …>` with the provider of the value.",
  },

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
    message: "`{handler}` destructures a parameter, so the param has no name.",
    hint: "Name the parameter, or write where its values come from: { q }: Query<{ q: string }>.",
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
    title: "Unsupported param type",
    message: "The param `{name}` has the type `{type}`, but a path segment can't be one.",
    hint: ({ suggestion }: { suggestion: string | undefined }): string =>
      `${suggestion === undefined ? "" : `${suggestion} `}Without a mark it is \`int\` or \`number\` for digits, \`string\` or \`str\` for text, or \`Request\`.`,
  },
  FW307: {
    title: "Type not imported",
    message: "`{type}` is used here but neither imported nor declared in this file.",
    hint: 'Write at the top: import type { {type} } from "framework";',
  },
  FW308: {
    title: "Unresolved type",
    message: "The type `{type}` can't be resolved: {why}.",
    hint: "Write `int`, `number`, `string`, `str` or `Request` at the parameter itself.",
  },
  FW309: {
    title: "Unknown import from the framework",
    message: '"{from}" has no export `{name}`.',
    hint: "Write: {right}",
  },
  FW310: {
    title: "Type imported from elsewhere",
    message: '`{name}` comes from "{from}", so it is not the framework\'s.',
    hint: 'Write: import type { {type} } from "framework";',
  },
  FW311: {
    title: "Unreadable signature",
    message: "The signature of `{handler}` can't be read: {why}.",
    hint: ({ handler }: { handler: string }): string =>
      `Write it as a function and call what it needs inside: export function ${handler === "delete" ? "del" : handler}(request: Request) { … }`,
  },
  FW312: {
    title: "Handler that is not a function",
    message: "`{handler}` has a handler's name but is {what}.",
    hint: "Make it a function, or rename it.",
  },
  FW313: {
    title: "Unresolved re-export",
    message: "The re-export of {what} can't be resolved: {why}.",
    hint: ({ nearest }: { nearest: string | undefined }): string =>
      nearest === undefined
        ? "Re-export from a .ts file of the project, by its relative path or an alias, with the ending."
        : `Did you mean \`${nearest}\`?`,
  },
  FW314: {
    title: "Ambiguous export",
    message: "Two `export *` provide `{name}`, so JavaScript exports neither.",
    hint: 'Choose one: export { {name} } from "…";',
  },
  FW315: {
    severity: "warning",
    title: "Optional param",
    message: "The param `{name}` is optional here, but the route only matches a path that has it.",
    hint: "Make `{name}` required, or take it from the query: `{name}: Query<{type}>`.",
  },
  FW316: {
    severity: "warning",
    title: "Param that looks like the request",
    message: "`{name}` has no type, so it is a segment of the path and not the request.",
    hint: "Write `{name}: Request`, or name it `request`.",
  },
  FW317: {
    title: "Handler without a body",
    message: "`{handler}` is declared without a body, so nothing is exported.",
    hint: "Write the function's body.",
  },
  FW318: {
    title: "TypeScript that can't be erased",
    message: "This is {what}: Node only erases types, and this is more than a type.",
    hint: "Write {instead} in its place.",
  },
  FW319: {
    title: "Name declared twice",
    message: "This file declares `{name}` a second time.",
    hint: ({ instead }: { instead: string | undefined }): string =>
      instead === undefined
        ? "Rename one of the two."
        : `A list and one item need two handlers: move the item's to ${instead}.`,
  },
  FW320: {
    title: "File that imports the main file",
    message: "{file} imports app.ts, which waits for {file} to load.",
    hint: "Move what both need into a third file, and import that in both.",
  },

  FW401: {
    title: "Conflict",
    message: ({
      handlers,
      method,
      url,
    }: {
      handlers: readonly string[];
      method: Method;
      url: string;
    }): string => `${listed(handlers)} serve the same requests, such as ${method} ${url}.`,
    hint: ({ hasParams }: { hasParams: boolean }): string =>
      hasParams
        ? "Rename or remove one: the names of params don't tell two routes apart, only their types do."
        : "Rename or remove one.",
  },
  FW402: {
    severity: "warning",
    title: "Nearly the bracket's param",
    message:
      "The parameter `{name}` does not match `[{bracket}]` in the path, so it adds a segment after it.",
    hint: "Did you mean `{bracket}`?",
  },
  FW403: {
    title: "Bracket that is the request",
    message: "`[{name}]` is a param of the path, but the parameter `{name}` is typed as the request.",
    hint: "Give the request another name.",
  },
  FW404: {
    title: "Route hidden by the health path",
    message:
      '`health = "{path}"` in framework.toml answers {method} {path}, so this handler would never run.',
    hint: 'Rename the handler, or give `[server] health` another path, or "" for none.',
  },
  FW405: {
    severity: "warning",
    title: "Bracket beside an appended param",
    message:
      "`{handler}` has no parameter for `[{bracket}]`, and its `{name}` adds another segment: {pattern}.",
    hint: "Rename `{name}` to `{bracket}` if you mean the bracket, or add `{bracket}` before `{name}`.",
  },

  FW410: {
    title: "Open route that is not listed",
    message: "Nothing guards {route}, and `open` under `[exposure]` does not list it.",
    hint: 'Guard it, or add "{route}" to `open` in framework.toml if anyone may call it.',
  },
  FW411: {
    title: "Open entry without a route",
    message: "`open` lists {entry}, but there is no such route.",
    hint: ({ nearest, methods }: { nearest: string | undefined; methods: readonly Method[] }): string => {
      if (methods.length > 0) return `This pattern has only ${listed(methods)}. Correct or remove the entry.`;
      return nearest === undefined ? "Remove the entry." : `Did you mean "${nearest}"?`;
    },
  },
  FW412: {
    title: "Open entry for a guarded route",
    message: ({ entry, route, guard }: { entry: string; route: string; guard: string }): string =>
      `\`open\` lists ${entry}, but \`${guard}\` guards ${entry === route ? "it" : route}.`,
    hint: ({ others }: { others: readonly string[] }): string =>
      others.length === 0
        ? "Remove the entry: it would hide that the guard was lost."
        : `List only what is open: ${others.map((other) => `"${other}"`).join(", ")}.`,
  },

  FW501: {
    title: "Missing export",
    message: "The source of {module} exports the handler `{handler}`, but the loaded module does not.",
    hint: "Declare it as an exported function, and decide inside it what to answer.",
  },
  FW502: {
    title: "Unexpected export",
    message: "The loaded module {module} exports the handler `{handler}`, but its source does not show it.",
    hint: "Export it by its name in {module} itself, or rename it.",
  },
  FW503: {
    title: "Module that failed to load",
    message: "{module} could not be loaded: {why}",
    hint: ({ why }: { why: string }): string | null => adviseOnLoadFailure(why),
  },
  FW504: {
    title: "Mark with a value that is not a schema",
    message: "A handler takes `typeof {name}`, but `{name}` of {module} is not a Standard Schema.",
    hint: "Make it with a library that has them, such as zod, valibot or arktype, or write a type.",
  },
  FW505: {
    title: "Missing provider or hook",
    message: "The source of {module} exports the {role} `{name}`, but the loaded module does not.",
    hint: "Declare it as an exported function, and decide inside it what to do.",
  },
  FW506: {
    title: "Unexpected hook",
    message: "The loaded module {module} exports `{name}`, but its source does not show it.",
    hint: "Export it by its name in {module} itself, or rename it.",
  },
} as const;
