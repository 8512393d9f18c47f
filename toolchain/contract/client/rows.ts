/** What the client's transport knows of each route, as a row of its table. */

import type { Operation } from "#convention/contract/contract";
import { formatJson } from "#runtime/escape";
import type { Definitions } from "#runtime/wire/shape";
import { groupByKind } from "./answers.ts";
import { bodyKind, type FindShape } from "./inputs.ts";

/** Those that `fetch` would follow. */
const REDIRECTS: readonly (number | "default")[] = [301, 302, 303, 307, 308];

export function writeRow(operation: Operation, definitions: Definitions, find: FindShape): string {
  const { id, method, segments, credentials, answers } = operation;
  const words = segments.map((one) => (typeof one === "string" ? encodeURIComponent(one) : `{${one.name}}`));
  const takes = bodyKind(operation, find);
  const has = (kind: string): boolean => credentials.some((one) => one.kind === kind);
  const keys = credentials.flatMap(({ header }) => header ?? []);
  const statuses = [...groupByKind(operation, definitions)].map(([kind, all]) => `${kind}: ${toList(all)}`);
  const parts = [
    `method: "${method}"`,
    `path: ${formatJson(`/${words.join("/")}`)}`,
    takes && `takes: "${takes}"`,
    has("bearer") && "bearer: true",
    has("basic") && "basic: true",
    keys.length > 0 && `keys: ${toList(keys)}`,
    answers.some(({ status }) => REDIRECTS.includes(status)) && 'redirect: "manual"',
    `answers: { ${statuses.join(", ")} }`,
  ];
  return `  ${id}: { ${parts.filter((part) => part).join(", ")} },\n`;
}

function toList(values: readonly (string | number)[]): string {
  return `[${values.map((value) => formatJson(value)).join(", ")}]`;
}
