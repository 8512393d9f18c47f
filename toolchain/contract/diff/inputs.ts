/** How what a route takes has changed: parameters and the body. */

import type { AnyOperation, Input } from "#convention/contract/contract";
import { isBody } from "#convention/wire/clashes";
import { isTextPlace } from "#runtime/wire/texts";
import { type At, note } from "./note.ts";
import { pairUp } from "./pairs.ts";
import { compareNeed, compareWhole } from "./shapes.ts";

export function compareInputs(before: AnyOperation, after: AnyOperation, at: At): void {
  const keyOf = (input: Input): string => inputKeyOf(input, before.inputs.includes(input) ? before : after);
  for (const [was, is] of pairUp(before.inputs, after.inputs, keyOf)) compareInput(was, is, at);
}

/** A path's params are known by their place. A form and a body are in each other's place. */
function inputKeyOf(input: Input, { segments }: AnyOperation): string {
  const { in: place, name } = input;
  if (isBody(input)) return "body";
  const at = segments.findIndex((segment) => typeof segment !== "string" && segment.name === name);
  return `${place} ${place === "path" && at !== -1 ? at : name}`;
}

function toNeed({ shape, required }: Input): { shape: Input["shape"]; optional: boolean } {
  return { shape, optional: !required };
}

function compareInput(was: Input | undefined, is: Input | undefined, around: At): void {
  const place = (input: Input): At["where"] => ({
    side: "request",
    in: input.in,
    ...(input.name !== "" && { name: input.name }),
  });
  const one = is ?? was;
  if (one === undefined) return;
  const at: At = { ...around, where: place(one), before: was?.location, after: is?.location };
  if (was && is && isBody(was) && was.in !== is.in) {
    note({ ...at, where: place(was) }, "request-body-media-type-removed", { from: was.in, to: is.in });
    return;
  }
  if (was && !is && isBody(was)) note(at, "request-body-removed");
  else compareNeed(was && toNeed(was), is && toNeed(is), at);
  if (!was || !is) return;
  if (was.name !== is.name) note(at, "renamed", { from: was.name });
  const [from, to] = [was, is].map(
    (input) => input.default !== undefined && `\`${JSON.stringify(input.default)}\``,
  );
  if (from !== to) {
    const how = from ? (to ? "changed" : "removed") : "added";
    note(at, `default-value-${how}`, { from: from || "", to: to || "" });
  }
  compareWhole(was.shape, is.shape, { ...at, asText: is.in === "path" || isTextPlace(is.in as never) });
}
