/** The app that the cases are sent to, in a process of its own: echoes of bodies, of JSON, and of what a path was read as. */

import { type BoundRoute, createCoreApp, type Handler } from "#runtime/app";
import type { Request } from "#runtime/message/request";
import { type Argument, METHODS, type Method, type Segment } from "#runtime/routing/route";
import { DEFAULT_SETTINGS } from "#runtime/settings";

/** Deeper paths than any of the cases has. */
const DEPTH = 12;

function bind(method: Method, segments: readonly Segment[], handler: Handler): BoundRoute {
  const location = { file: "bench/third-party/app.ts", line: 1, column: 1 };
  const pattern = `/${segments.map((segment) => (typeof segment === "string" ? segment : "<text>")).join("/")}`;
  const order: readonly Argument[] = ["request"];
  const rest = { handler: method, module: location.file, app: null, convention: "routes", location } as const;
  return { handler, route: { method, pattern, segments, arguments: order, ...rest } };
}

const echo = (request: Request): Promise<Uint8Array> => request.bytes();
const read = (request: Request): object => ({ url: request.url, values: Object.values(request.params) });
const params = Array.from({ length: DEPTH }, (_, at): Segment => ({ name: `p${at}`, type: "str" }));

const routes = [
  ...METHODS.flatMap((method) => [bind(method, [], echo), bind(method, ["hello"], echo)]),
  bind("POST", ["json"], async (request: Request) => [{ got: await request.json() }, 200]),
  ...params.map((_, at) => bind("GET", ["read", ...params.slice(0, at)], read)),
];

await createCoreApp(routes, { settings: { ...DEFAULT_SETTINGS, host: "127.0.0.1", port: 0 } }).listen();
