/** What a browser does for a script that fetches from another origin (https://fetch.spec.whatwg.org/#http-cors-protocol). */

import { type Answer, ask, type Question } from "./client.ts";

export interface Script extends Question {
  /** Of the page that the script is in. */
  readonly origin: string;
  /** `credentials: "include"` of `fetch`. */
  readonly credentials?: boolean;
}

export interface Seen {
  /** Undefined where the browser keeps the answer from the script. */
  readonly answer?: Pick<Answer, "status" | "text">;
  /** The names of the headers that the script can read. */
  readonly headers: readonly string[];
  readonly blocked?: string;
  readonly hadPreflight: boolean;
}

type Headers = Answer["headers"];

const SAFE_METHODS = ["GET", "HEAD", "POST"];
const SAFE_HEADERS = ["accept", "accept-language", "content-language"];
const SAFE_TYPES = ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"];
const READABLE = [
  "cache-control",
  "content-language",
  "content-length",
  "content-type",
  "expires",
  "last-modified",
  "pragma",
];

/** @example await browse(server.url, "POST /items", { origin: "https://shop.example", body: "{}" }) */
export async function browse(url: string, line: string, script: Script): Promise<Seen> {
  const unsafe = unsafeNames(script.headers ?? {});
  const [method = ""] = line.split(" ");
  const hadPreflight = unsafe.length > 0 || !SAFE_METHODS.includes(method);
  const refused = hadPreflight ? await preflight(url, line, script, unsafe) : undefined;
  if (refused !== undefined) return { blocked: refused, headers: [], hadPreflight };
  const cookie = script.credentials ? { cookie: "session=1" } : {};
  const answer = await ask(url, line, {
    ...script,
    headers: { ...script.headers, ...cookie, origin: script.origin },
  });
  const blocked = checkSharing(answer.headers, script);
  if (blocked !== undefined) return { blocked, headers: [], hadPreflight };
  const { status, text } = answer;
  return { answer: { status, text }, headers: readableNames(answer.headers, script), hadPreflight };
}

function unsafeNames(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name, value]) => !SAFE_HEADERS.includes(name) && !isSafeType(name, value))
    .map(([name]) => name)
    .sort();
}

function isSafeType(name: string, value: string): boolean {
  return name === "content-type" && SAFE_TYPES.includes(value.split(";")[0] ?? "");
}

/** @returns why the browser does not send the request. */
async function preflight(
  url: string,
  line: string,
  script: Script,
  unsafe: readonly string[],
): Promise<string | undefined> {
  const [method = "", path = ""] = line.split(" ");
  const asked = unsafe.length === 0 ? {} : { "access-control-request-headers": unsafe.join(",") };
  const { status, headers } = await ask(url, `OPTIONS ${path}`, {
    headers: { origin: script.origin, "access-control-request-method": method, ...asked },
  });
  const blocked = checkSharing(headers, script);
  if (blocked !== undefined) return blocked;
  if (status < 200 || status > 299) return `the preflight got ${status}`;
  const isForEvery = (names: readonly string[]): boolean => names.includes("*") && !script.credentials;
  const methods = listOf(headers, "access-control-allow-methods");
  if (!methods.includes(method) && !SAFE_METHODS.includes(method) && !isForEvery(methods))
    return `the method ${method} is not allowed`;
  const names = listOf(headers, "access-control-allow-headers").map((name) => name.toLowerCase());
  const missing = unsafe.find((name) => {
    return !names.includes(name) && (name === "authorization" || !isForEvery(names));
  });
  return missing && `the header ${missing} is not allowed`;
}

/** The CORS check. @returns why it fails. */
function checkSharing(headers: Headers, { origin, credentials }: Script): string | undefined {
  const allowed = headers["access-control-allow-origin"];
  if (allowed === "*" && !credentials) return undefined;
  if (allowed !== origin) return `the answer is for ${allowed}`;
  const isAllowed = headers["access-control-allow-credentials"] === "true";
  return credentials && !isAllowed ? "credentials are not allowed" : undefined;
}

function readableNames(headers: Headers, { credentials }: Script): string[] {
  const exposed = listOf(headers, "access-control-expose-headers").map((name) => name.toLowerCase());
  const isEvery = exposed.includes("*") && !credentials;
  return Object.keys(headers).filter((name) => isEvery || READABLE.includes(name) || exposed.includes(name));
}

function listOf(headers: Headers, name: string): string[] {
  return [headers[name] ?? []].flat().flatMap((value) => value.split(",").map((one) => one.trim()));
}
