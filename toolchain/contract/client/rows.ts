/** What the client's transport knows of each route, as a row of its table. */

import type { Operation } from "#convention/contract/contract";
import { formatJson } from "#runtime/escape";
import type { Definitions } from "#runtime/wire/shape";
import { groupByKind } from "./answers.ts";
import { bodyKind } from "./inputs.ts";
import { type CredentialNeed, needOf } from "./options.ts";

/** Those that `fetch` would follow. */
const REDIRECTS: readonly (number | "default")[] = [301, 302, 303, 307, 308];

/** Where a call has the values of each place. */
const PLACES = { header: "headers", cookie: "cookies", query: "query" } as const;

export function writeRow(operation: Operation, definitions: Definitions): string {
  const { id, method, segments, credentials, answers } = operation;
  const words = segments.map((one) => (typeof one === "string" ? encodeURIComponent(one) : `{${one.name}}`));
  const takes = bodyKind(operation, definitions);
  const has = (need: CredentialNeed): boolean => credentials.some((one) => needOf(one) === need);
  const others = credentials.filter((one) => needOf(one) === "schemes");
  const schemes = others.flatMap(({ scheme }) => (scheme.type === "http" ? formatJson(scheme.scheme) : []));
  const keys = credentials.flatMap(({ scheme }) => (scheme.type === "apiKey" ? [scheme] : []));
  const statuses = [...groupByKind(operation, definitions)].map(([kind, all]) => `${kind}: ${toList(all)}`);
  const parts = [
    `method: "${method}"`,
    `path: ${formatJson(`/${words.join("/")}`)}`,
    takes && `takes: "${takes}"`,
    has("bearer") && "bearer: true",
    has("basic") && "basic: true",
    schemes.length > 0 && `schemes: [${schemes.join(", ")}]`,
    keys.length > 0 && `keys: [${keys.map((key) => toList([PLACES[key.in], key.name])).join(", ")}]`,
    // A browser sends its own cookies.
    keys.some((key) => key.in === "cookie") && 'credentials: "include"',
    answers.some(({ status }) => REDIRECTS.includes(status)) && 'redirect: "manual"',
    `answers: { ${statuses.join(", ")} }`,
  ];
  return `  ${id}: { ${parts.filter((part) => part).join(", ")} },\n`;
}

function toList(values: readonly (string | number)[]): string {
  return `[${values.map((value) => formatJson(value)).join(", ")}]`;
}
