/** For tests: contracts of a few routes. */

import type { Answer, Contract, Operation } from "#convention/contract/contract";
import type { Location } from "#runtime/routing/route";
import type { Shape } from "#runtime/wire/shape";

export const location: Location = { file: "routes/a.ts", line: 1, column: 1 };

/** @returns `GET /a`, which answers a text as JSON, but for what is given. */
export function operation(more: Partial<Operation> = {}): Operation {
  const { segments = ["a"] } = more;
  const words = segments.map((one) => (typeof one === "string" ? one : `<${one.name}>`));
  return {
    id: "getA",
    method: "GET",
    pattern: `/${words.join("/")}`,
    segments,
    handler: "get",
    location,
    inputs: [],
    credentials: [],
    answers: [answer(200, { kind: "string" })],
    ...more,
  };
}

export function answer(status: Answer["status"], shape?: Shape, media = "application/json"): Answer {
  return { status, bodies: shape ? [{ media, shape }] : [], headers: [], location };
}

export function contract(operations: readonly Operation[], more: Partial<Contract> = {}): Contract {
  return {
    about: { title: "Shop", version: "1.2.0", servers: [] },
    operations,
    refused: { media: "application/json", shape: { kind: "unknown" } },
    definitions: {},
    notes: {},
    diagnostics: [],
    ...more,
  };
}
