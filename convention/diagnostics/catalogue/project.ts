/** What reading or loading a project can report: its configuration, its names, its table and its modules, by codes FW1xx, FW2xx, FW4xx and FW5xx. */

import { APP_CONFIG_FILE } from "../../layout.ts";
import { listed } from "../entry.ts";
import { adviseOnLoadFailure } from "../load-failure.ts";

/** A hint where a similar name may be the one that was meant. */
export interface Nearest {
  readonly nearest: string | undefined;
}

export const PROJECT = {
  FW101: {
    title: "No framework.toml",
    message: "The project has no framework.toml.",
    hint: 'Create one that lists the apps: apps = ["products", "users"].',
  },
  FW102: {
    title: "Malformed TOML",
    message: "This is not TOML: {why}.",
    hint: 'As in `[table]`, `key = "text"`, `list = [1, 2]` and `# comment`: see https://toml.io.',
  },
  FW103: {
    title: "Unknown setting",
    message: "There is no setting `{key}`.",
    hint: ({ nearest, known, place }: UnknownSetting): string => {
      if (place !== undefined) return `Write it ${place}.`;
      return nearest === undefined
        ? `The settings here are ${listed(known)}.`
        : `Did you mean \`${nearest}\`?`;
    },
  },
  FW104: {
    title: "Wrong value of a setting",
    message: "{why}.",
    hint: "{hint}",
  },
  FW107: {
    title: "Value listed twice",
    message: "`{key}` lists `{value}` twice.",
    hint: "Remove one of the two.",
  },
  FW109: {
    title: "App without its files",
    message: "The app `{app}` has no {file}.",
    hint: ({ app, file, nearest, test }: IncompleteApp): string => {
      if (file === `folder apps/${app}/`) {
        const removal = `remove it from the list${test === undefined ? "" : `, and delete ${test}`}`;
        return nearest === undefined
          ? `Create it with \`npx framework generate app ${app}\`, or ${removal}.`
          : `Did you mean \`${nearest}\`?`;
      }
      if (nearest !== undefined) return `Did you mean apps/${app}/${nearest}? Rename it to ${file}.`;
      return file === APP_CONFIG_FILE
        ? `Create apps/${app}/app.toml. It may be empty: the prefix is then /${app}.`
        : `Create apps/${app}/views.ts with a handler: export function get_index() { return { app: "${app}" }; }`;
    },
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
    hint: "Check its permissions, whether it is a file or a folder, and that it is UTF-8 text.",
  },
  FW115: {
    severity: "warning",
    title: "Circular symbolic link",
    message: "{file} links back to a folder above it, so it is ignored.",
    hint: "Remove the link, or begin its name with `_`.",
  },

  FW201: {
    title: "Malformed name",
    message: "{why}.",
    hint: "{hint}",
  },
  FW202: {
    severity: "warning",
    title: "Nearly a handler's name",
    message: "`{name}` is exported but not served: {rule}.",
    hint: "Did you mean `{suggestion}`? If it is not a handler, move it to another file or don't export it.",
  },
  FW203: {
    severity: "warning",
    title: "Handler not exported by its name",
    message: "{what}, so it is not served.",
    hint: "{hint}",
  },
  FW207: {
    severity: "info",
    title: "File that serves nothing",
    message: "{file} exports no handler, so it serves nothing.",
    hint: "Export a handler named after its method: export function get() { … }. A name that begins with `_` is not a route file.",
  },
  FW208: {
    severity: "warning",
    title: "Route file that is not served",
    message: "{file} is not served: {why}.",
    hint: "{hint}",
  },
  FW210: {
    severity: "warning",
    title: "Names that differ only by case",
    message: "{files} differ only {by}, so on {systems} only one of them can exist.",
    hint: "Rename one of them.",
  },
  FW212: {
    severity: "warning",
    title: "Param in another place than it seems",
    message: "The param `{name}` is at the end of {pattern}, because {why}.",
    hint: "{hint}",
  },
  FW221: {
    severity: "warning",
    title: "Hooks that never run",
    message: "Nothing in {file} ever runs: {why}.",
    hint: "{hint}",
  },
  FW224: {
    title: "Hook that can't be called",
    message: "`{name}` is called with ({given}), but {why}.",
    hint: "Write {name}({given}). A guard, a provider or a handler can take more of a request.",
  },
  FW225: {
    title: "Nearly a hook",
    message: "Nothing uses {what}, so it has no effect: {why}.",
    hint: "{hint}",
  },
  FW230: {
    title: "Guard that returns its refusal",
    message: "This guard returns {what}. What a guard returns refuses nobody.",
    hint: 'Throw instead: throw new HttpError(403, "…").',
  },

  FW401: {
    title: "Conflict",
    message: "{handlers} {clash}.",
    hint: ({ apart }: { apart: "texts" | "names" | "constraints" }): string =>
      ({
        texts: "Rename or remove one.",
        names: "Rename or remove one: the names of params don't tell two routes apart, only their types do.",
        constraints:
          "Write one handler for all values: constraints don't tell two routes apart, only `int` and `string` do.",
      })[apart],
  },
  FW410: {
    title: "Open route that is not listed",
    message: "Nothing guards {route}, and `open` under `[exposure]` does not list it.",
    hint: 'Guard it, or add "{route}" to `open` in framework.toml if anyone may call it.',
  },
  FW411: {
    title: "Wrong open entry",
    message: "`open` lists {entry}, but {why}.",
    hint: "{hint}",
  },
  FW413: {
    severity: "warning",
    title: "Open route at a guarded path",
    message: "{route} in {file} is open: {hooks} guards {path} only for the files of its folder.",
    hint: 'Move it into the folder, or guard it as well. If anyone may call it, add "{route}" to `open` under `[exposure]`.',
  },

  FW501: {
    title: "Exports that differ from the source",
    message: "{module} exports `{name}` {where}.",
    hint: "Declare it in {module} itself, as an exported function, and decide inside it what to do.",
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
} as const;

interface UnknownSetting extends Nearest {
  readonly known: readonly string[];
  /** Where it belongs, if another table has it. */
  readonly place: string | undefined;
}

interface IncompleteApp extends Nearest {
  readonly app: string;
  /** The missing file, or `folder apps/<app>/`. */
  readonly file: string;
  /** What is left of an app that was deleted by hand. */
  readonly test?: string | undefined;
}
