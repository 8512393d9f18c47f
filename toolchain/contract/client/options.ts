/** The function that makes a client, and what it takes: where the API is, and the credentials that its routes ask for. */

import type { Contract, Credential } from "#convention/contract/contract";
import { nameScheme } from "#convention/contract/inputs";
import { compareText } from "#convention/diagnostics/order";
import { formatJson } from "#runtime/escape";
import { formatBraces, formatKey, formatMembers, type Member } from "./layout.ts";

export function writeOptions({ operations, about }: Contract): string {
  const credentials = operations.flatMap((operation) => operation.credentials);
  const [server] = about.servers;
  const sourcesOf = (need: CredentialNeed, type: string): readonly Member[] =>
    toSources(credentials, need, type);
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
    ...sourcesOf("bearer", "string"),
    ...sourcesOf("basic", "{ readonly username: string; readonly password: string }"),
    ...together("credentials", sourcesOf("schemes", "string")),
    ...together("apiKeys", sourcesOf("keys", "string")),
  ];
  return `export interface ClientOptions {\n${formatMembers(members)}}`;
}

/** Where the client's options and its transport have a credential. */
export type CredentialNeed = "bearer" | "basic" | "schemes" | "keys";

export function needOf({ scheme }: Credential): CredentialNeed {
  if (scheme.type === "apiKey") return "keys";
  const name = nameScheme(scheme);
  return name === "bearer" || name === "basic" ? name : "schemes";
}

/** By their names. A key that is sent in several places is the same key. */
function toSources(
  credentials: readonly Credential[],
  need: CredentialNeed,
  type: string,
): readonly Member[] {
  const sources = new Map<string, Member>();
  for (const one of credentials.filter((credential) => needOf(credential) === need)) {
    const name = one.scheme.type === "apiKey" ? one.scheme.name : nameScheme(one.scheme);
    const comment = sources.get(name)?.comment ?? one.description;
    const member = optional(formatKey(name), `Source<${type} | undefined>`);
    sources.set(name, { ...member, ...(comment !== undefined && { comment }) });
  }
  return [...sources].sort(([one], [other]) => compareText(one, other)).map(([, member]) => member);
}

function together(name: string, members: readonly Member[]): readonly Member[] {
  return members.length === 0 ? [] : [optional(name, formatBraces(members))];
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
