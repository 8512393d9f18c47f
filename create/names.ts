/** Checks that a project name works everywhere (npm, Windows, git, a URL), and suggests one that does. */

const LONGEST = 214;
const DEFAULT_NAME = "my-app";

/** Node's own modules: npm refuses them as names of new packages, and an import would load Node's. */
const NODE_MODULES = new Set(
  `assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain
  events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl
  stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib node_modules
  favicon.ico`.split(/\s+/),
);

/** What a project imports or installs: npm refuses to install a package into one of the same name. */
const PROJECT_PACKAGES = new Set(["framework", "rolldown", "typescript", "undici", "uvu"]);

/** Windows opens a device, whatever follows the first dot. */
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** The first rule that a name breaks is the reason to print. */
const RULES: readonly (readonly [broken: (name: string) => boolean, reason: string])[] = [
  [(name) => name === "", "it is empty"],
  [(name) => name.length > LONGEST, `it is longer than ${LONGEST} characters`],
  [(name) => /[\u0000-\u001f\u007f]/.test(name), "it has control characters"],
  [(name) => /[A-Z]/.test(name), "npm wants lowercase"],
  [(name) => /^[._-]/.test(name), "it begins with a dot, an underscore or a hyphen"],
  [(name) => /[^a-z0-9._-]/.test(name), "only a-z, 0-9 and . _ - work everywhere"],
  [(name) => name.endsWith("."), "Windows drops a dot at the end"],
  [(name) => WINDOWS_DEVICE.test(name), "Windows reserves it for a device"],
  [(name) => NODE_MODULES.has(name), "Node or npm reserves it"],
  [(name) => PROJECT_PACKAGES.has(name), "the project uses a package of that name"],
];

/** @returns why the name can't be a project's, as a clause; undefined when it can. */
export function findNameProblem(name: string): string | undefined {
  return RULES.find(([broken]) => broken(name))?.[1];
}

/**
 * The nearest name that is valid.
 *
 * @example suggestName("My Shop!!") // "my-shop"
 */
export function suggestName(text: string): string {
  const plain = text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[^a-z0-9._]+/g, "-")
    .slice(0, 60)
    .replace(/^[._-]+|[._-]+$/g, "");
  if (plain === "") return DEFAULT_NAME;
  return findNameProblem(plain) === undefined ? plain : suggestName(`my-${plain}`);
}
