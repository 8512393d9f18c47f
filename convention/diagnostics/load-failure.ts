/** What to do about a module that failed to load, read from Node's message: the error itself may come from another thread. */

const FILE_ENDING = /\.(?:[cm]?[jt]s|json|node|wasm)$/;

/** What to do, by what Node says. It names a path, a package or an export. */
const ADVICE: ReadonlyMap<RegExp, (named: string) => string | null> = new Map([
  [
    /Cannot find module '.*[/\\]vendor[/\\](framework)[/\\]database(?:\.js|[/\\].*)' imported from/,
    () => "Add the files of a database: npx framework generate database sqlite, or postgres",
  ],
  [/Cannot find module '(.+?)' imported from/, adviseOnMissingFile],
  [/Directory import '(.+?)' is not supported/, (path) => nameWithEnding(`${baseName(path)}/index.ts`)],
  [
    /Cannot find package '([^'/\\][^']*)' imported from .*[/\\]vendor[/\\]framework[/\\]/,
    adviseOnUninstalled,
  ],
  [/Cannot find package '([^'/\\][^']*)' imported from/, adviseOnMissingPackage],
  [/does not provide an export named '([^']+)'/, adviseOnMissingExport],
]);

/**
 * @param why the error's name and message.
 * @returns null where the message says it all.
 * @example adviseOnLoadFailure("Error: Cannot find module '/shop/prices' imported from /shop/views.ts")
 *   // "Name the file with its ending: `prices.ts`."
 */
export function adviseOnLoadFailure(why: string): string | null {
  for (const [pattern, advise] of ADVICE) {
    const named = pattern.exec(why)?.[1];
    if (named !== undefined) return advise(named);
  }
  return null;
}

function adviseOnMissingFile(path: string): string | null {
  // An installed package's own import is not the user's to correct.
  if (/[/\\]node_modules[/\\]/.test(path)) return null;
  const name = baseName(path);
  if (!FILE_ENDING.test(name)) return nameWithEnding(`${name}.ts`);
  if (/\.[cm]?js$/.test(name)) return nameWithEnding(name.replace(/\.[cm]?js$/, ".ts"));
  return "Check the path and the case of its letters: there is no such file.";
}

/** What npm takes for a name. Others, as `@/prices` and `~`, are aliases that a bundler or a type checker may know. */
const PACKAGE_NAME = /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9-][\w.~-]*$/;

function adviseOnMissingPackage(name: string): string {
  const hint = "To import a file of the project, begin its path with `./`, `../` or `#`.";
  return PACKAGE_NAME.test(name) ? `Install it: \`npm install ${name}\`. ${hint}` : hint;
}

/** The framework has no packages of its own: a new project's package.json names what it asks for. */
function adviseOnUninstalled(name: string): string {
  return `Run \`npm install\`, or \`npm install ${name}\` if package.json does not name it.`;
}

function adviseOnMissingExport(name: string): string {
  return name === "default"
    ? "Import by name: the module has no default export."
    : `If \`${name}\` is a type, write \`import type { ${name} }\`; if not, check what the module exports.`;
}

function nameWithEnding(file: string): string {
  return `Name the file with its ending: \`${file}\`.`;
}

function baseName(path: string): string {
  return path.replace(/[/\\]+$/, "").replace(/^.*[/\\]/, "");
}
