/** What a function of the client answers: a union that the status tells apart; and how the body of each status is read. */

import type { Answer, AnswerBody, Operation } from "#convention/contract/contract";
import { membersOf } from "#runtime/wire/shape";
import { formatUnion } from "./layout.ts";
import type { Types } from "./types.ts";

/** How a body is read, in the order in which one of several is chosen. */
const KINDS = ["json", "events", "textEvents", "anyEvents", "text", "stream", "none"] as const;
export type Kind = (typeof KINDS)[number];

/** @example writeAnswers(operation, types) // "Answer<200, User> | Answer<400 | 404, ApiError>" */
export function writeAnswers(operation: Operation, types: Types): string {
  const statuses = new Map<string, number[]>();
  const others: string[] = [];
  const known = operation.answers.flatMap(({ status }) => (status === "default" ? [] : [status]));
  for (const answer of operation.answers) {
    const { status } = answer;
    const body = writeBodies(operation, answer, types);
    if (status === "default") others.push(`OtherAnswer<${known.join(" | ") || "never"}, ${body}>`);
    else {
      // What is ok is a member of its own.
      const key = `${status >= 200 && status <= 299} ${body}`;
      statuses.set(key, [...(statuses.get(key) ?? []), status]);
    }
  }
  const answers = [...statuses].map(
    ([key, same]) => `Answer<${same.join(" | ")}, ${key.replace(/^\w+ /, "")}>`,
  );
  return formatUnion([...answers, ...others]);
}

function writeBodies(operation: Operation, answer: Answer, types: Types): string {
  const kinds = kindsOf(operation, answer, types);
  if (kinds.includes("none")) return "undefined";
  const all = answer.bodies.map((body) => {
    const kind = kindOf(body, types);
    if (kind === "stream") return "ReadableStream<Uint8Array>";
    const type = types.write(body.shape, "got");
    return /events/i.test(kind) ? `AsyncIterable<ServerEvent<${type}>>` : type;
  });
  return formatUnion([...new Set(all)]);
}

/** @returns the statuses by how their bodies are read. */
export function groupByKind(
  operation: Operation,
  types: Types,
): ReadonlyMap<Kind, readonly Answer["status"][]> {
  const all = operation.answers.map((answer) => [answer.status, kindsOf(operation, answer, types)] as const);
  const groups = KINDS.map((kind) => {
    return [kind, all.flatMap(([status, kinds]) => (kinds.includes(kind) ? [status] : []))] as const;
  });
  return new Map(groups.filter(([, statuses]) => statuses.length > 0));
}

/** RFC 9110 sections 9.3.2, 15.3.5, 15.3.6 and 15.4.5 */
const BODILESS: readonly Answer["status"][] = [204, 205, 304];

function kindsOf({ method }: Operation, { status, bodies }: Answer, types: Types): readonly Kind[] {
  if (method === "HEAD" || BODILESS.includes(status) || bodies.length === 0) return ["none"];
  return bodies.map((body) => kindOf(body, types));
}

function kindOf({ media, shape }: AnswerBody, { definitions }: Types): Kind {
  if (/^application\/([^;]+\+)?json/i.test(media)) return "json";
  if (!/^text\//i.test(media)) return "stream";
  if (!/^text\/event-stream/i.test(media)) return "text";
  // The data of an event is a text as it is, or JSON.
  const members = membersOf(shape, definitions);
  const areTexts = members.flatMap((member): readonly (boolean | undefined)[] => {
    if (member.kind === "unknown" || member.kind === "schema") return [undefined];
    return member.kind === "literal" ? member.values.map(isText) : [member.kind === "string"];
  });
  if (areTexts.every((isOne) => isOne === true)) return "textEvents";
  return areTexts.every((isOne) => isOne === false) ? "events" : "anyEvents";
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}
