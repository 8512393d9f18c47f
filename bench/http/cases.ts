/** What the servers are asked: each case is one request, sent again and again. */

import { HONO_TYPEBOX, LOGGING, OURS, RAW, RAW_AGAIN, SERVERS } from "./servers.ts";

export interface Case {
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** What every server has to answer; the JSON has to be that of the first server. */
  readonly status: number;
  /** A body that every server has to refuse with a 4xx, which shows that it checks. */
  readonly refused?: string;
  readonly connections: number;
  /** The answer is compared as text, because it is not JSON. */
  readonly isText?: boolean;
}

const CONNECTIONS = 64;
/** A megabyte on each of 64 would measure the memory. */
const CONNECTIONS_OF_BODIES = 8;

const JSON_TYPE = { "Content-Type": "application/json" };
const BYTES_TYPE = { "Content-Type": "application/octet-stream" };

/** What a browser sends when a page is opened. */
const BROWSER_HEADERS: Readonly<Record<string, string>> = {
  Connection: "keep-alive",
  "Cache-Control": "max-age=0",
  "sec-ch-ua": '"Chromium";v="142", "Google Chrome";v="142", "Not_A Brand";v="99"',
  "sec-ch-ua-mobile": "?0",
  "sec-ch-ua-platform": '"Linux"',
  "Upgrade-Insecure-Requests": "1",
  "User-Agent":
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
  Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
  "Sec-Fetch-Site": "none",
  "Sec-Fetch-Mode": "navigate",
  "Sec-Fetch-Dest": "document",
  "Accept-Encoding": "gzip, deflate, br, zstd",
  "Accept-Language": "en-GB,en;q=0.9,de;q=0.8",
};

/** Measured one after the other, so that the memory of the one is not what the other left. */
export interface CaseGroup {
  readonly title: string;
  readonly cases: readonly Case[];
  /** Servers that are another one's app here, so that they would be measured twice. */
  readonly without: readonly string[];
  /** The servers that can write a line for each request do so here. */
  readonly isLogged?: boolean;
}

const SMALL: readonly Case[] = [
  get("root", "/"),
  { ...get("browser", "/"), headers: BROWSER_HEADERS },
  get("user", "/users/by/id/42"),
  post("item", "/items", JSON_TYPE, '{"name":"lamp","price":12.5,"tags":["light","desk"]}', 201),
  { ...get("miss", "/nowhere/to/be/found"), status: 404 },
  get("page", "/page"),
];

const SIGNUP = {
  name: "Ada Lovelace",
  email: "ada@example.com",
  age: 36,
  newsletter: true,
  plan: "team",
  tags: ["analysis", "engines", "letters"],
  address: { street: "12 St James's Square", city: "London", postcode: "SW1Y 4JH" },
  credit: 12.5,
  language: "en-GB",
  referrer: "a friend",
};

/** The same work with and without a check: what the check costs is between the two. */
const SIGNUPS: readonly Case[] = [
  {
    ...post("signup", "/signups", JSON_TYPE, JSON.stringify(SIGNUP), 201),
    refused: JSON.stringify({ ...SIGNUP, age: "old", address: undefined }),
  },
  post("signup-unchecked", "/signups/unchecked", JSON_TYPE, JSON.stringify(SIGNUP), 201),
];

const TOKEN = { Authorization: "Bearer secret" };

/** The same answer alone, behind a guard whose user the handler is given, and with a middleware that sets a header. */
const SHARED: readonly Case[] = [
  get("open", "/open/account"),
  { ...get("guarded", "/guarded/account"), headers: TOKEN },
  get("wrapped", "/wrapped/account"),
];

const UPLOADS: readonly Case[] = [
  upload("json-64k", "/documents", JSON_TYPE, document(64 * 1024)),
  upload("json-1m", "/documents", JSON_TYPE, document(1_000_000)),
  upload("bytes-64k", "/uploads", BYTES_TYPE, "x".repeat(64 * 1024)),
  upload("bytes-1m", "/uploads", BYTES_TYPE, "x".repeat(1_000_000)),
];

const IN_PIECES: readonly Case[] = [
  upload("pieces-1m", "/uploads/pieces", BYTES_TYPE, "x".repeat(1_000_000)),
  { ...get("stream-10m", "/stream"), isText: true, connections: CONNECTIONS_OF_BODIES },
];

export const CASE_GROUPS: readonly CaseGroup[] = [
  { title: `Small requests, on ${CONNECTIONS} connections`, cases: SMALL, without: [HONO_TYPEBOX] },
  {
    title: `A body of ten fields, validated and not, on ${CONNECTIONS} connections`,
    cases: SIGNUPS,
    without: [],
  },
  {
    title: `What several routes share, on ${CONNECTIONS} connections`,
    cases: SHARED,
    without: [HONO_TYPEBOX, "h3", "express", "polka", "elysia"],
  },
  {
    title: `A line in the log for each request, through a pipe to a reader, on ${CONNECTIONS} connections. ${RAW} writes none.`,
    cases: [get("access-log", "/")],
    without: SERVERS.filter((name) => ![RAW, RAW_AGAIN, ...LOGGING].includes(name)),
    isLogged: true,
  },
  {
    title: `Bodies of 64 KB and 1 MB, on ${CONNECTIONS_OF_BODIES} connections`,
    cases: UPLOADS,
    without: [HONO_TYPEBOX],
  },
  {
    title: `1 MB read and 10 MB sent in pieces, on ${CONNECTIONS_OF_BODIES} connections`,
    cases: IN_PIECES,
    without: SERVERS.filter((name) => ![RAW, RAW_AGAIN, OURS].includes(name)),
  },
];

function get(name: string, path: string): Case {
  return { name, method: "GET", path, headers: {}, body: undefined, status: 200, connections: CONNECTIONS };
}

function post(name: string, path: string, headers: Case["headers"], body: string, status: number): Case {
  return { name, method: "POST", path, headers, body, status, connections: CONNECTIONS };
}

function upload(name: string, path: string, headers: Case["headers"], body: string): Case {
  return { ...post(name, path, headers, body, 200), connections: CONNECTIONS_OF_BODIES };
}

/** @param size bytes, which the JSON comes as near to as whole lines allow. */
function document(size: number): string {
  const line = { id: 1, text: "A line of a document, as long as lines are.", done: false };
  const count = Math.floor((size - '{"lines":[]}'.length) / (JSON.stringify(line).length + 1));
  return JSON.stringify({ lines: Array(count).fill(line) });
}
