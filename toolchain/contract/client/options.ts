/** The function that makes a client, and what it takes: where the API is, and the credentials that its routes ask for. */

import type { Contract } from "#convention/contract/contract";
import { formatJson } from "#runtime/escape";
import { formatBraces, formatKey, formatMembers, type Member } from "./layout.ts";

export function writeOptions({ operations, about }: Contract): string {
  const credentials = operations.flatMap((operation) => operation.credentials);
  const keys = new Set(credentials.flatMap(({ header }) => header ?? []));
  const [server] = about.servers;
  const has = (kind: string): boolean => credentials.some((one) => one.kind === kind);
  const members: readonly Member[] = [
    {
      key: `readonly baseUrl${server === undefined ? "" : "?"}`,
      text: server === undefined ? "string | URL" : "string | URL | undefined",
      comment: server === undefined ? 'Where the API is, as in "https://api.example".' : `Default: ${server}`,
    },
    {
      ...optional("fetch", "((url: string, init: RequestInit) => Promise<Response>)"),
      comment: "Called in place of the global fetch.",
    },
    { ...optional("headers", "Source<Readonly<Record<string, string>>>"), comment: "Of each request." },
    optional("init", "FetchOptions"),
    ...(has("bearer") ? [optional("bearer", "Source<string | undefined>")] : []),
    ...(has("basic") ? [optional("basic", `Source<${USER} | undefined>`)] : []),
    ...(keys.size > 0 ? [optional("apiKeys", formatBraces([...keys].sort().map(toKey)))] : []),
  ];
  return `export interface ClientOptions {\n${formatMembers(members)}}`;
}

const USER = "{ readonly username: string; readonly password: string }";

function toKey(header: string): Member {
  return optional(formatKey(header), "Source<string | undefined>");
}

function optional(name: string, type: string): Member {
  return { key: `readonly ${name}?`, text: `${type} | undefined` };
}

export function writeCreate({ about: { servers } }: Contract): string {
  const [server] = servers;
  return `const SERVER: string = ${formatJson(server ?? "")};

export function createClient(options: ClientOptions${server === undefined ? "" : " = {}"}): Client {
  const functions = Object.entries<Route>(ROUTES).map(([name, route]) => {
    const call = (input?: Input, more?: CallOptions): Promise<object> => send(route, options, input, more);
    return [name, call] as const;
  });
  return Object.fromEntries(functions) as unknown as Client;
}
`;
}
