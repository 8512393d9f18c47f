/** How what a route answers has changed: statuses, media types, headers and values. */

import type { Answer } from "#convention/contract/contract";
import { type At, nameWhole, note } from "./note.ts";
import { pairUp } from "./pairs.ts";
import { compareWhole } from "./shapes.ts";

export function compareAnswers(before: readonly Answer[], after: readonly Answer[], around: At): void {
  // An answer whose status nothing says may be any.
  const [wasOpen, isOpen] = [before, after].map((all) => all.some(({ status }) => status === "default"));
  for (const [was, is] of pairUp(before, after, ({ status }) => status)) {
    const { status, description = "" } = (is ?? was) as Answer;
    const at: At = {
      ...around,
      where: { side: "response", status },
      before: was?.location,
      after: is?.location,
    };
    const isSuccess = typeof status === "number" && status >= 200 && status < 300;
    const kind = `response-${isSuccess ? "success" : "non-success"}-status` as const;
    if (was && is) compareAnswer(was, is, at);
    else if (status === "default") note(at, `response-status-became-${was ? "known" : "unknown"}`);
    else if (was) note(at, `${kind}-removed${isOpen ? " (unknown)" : ""}`, { from: String(status) });
    else {
      const why = description === "" ? "" : `: ${description.replace(/\.$/, "")}`;
      note(at, `${kind}-added${wasOpen ? " (known)" : ""}`, { to: String(status), why });
    }
  }
}

function compareAnswer(was: Answer, is: Answer, at: At): void {
  for (const [from, to] of pairUp(was.headers, is.headers, (name) => name)) {
    const ofHeader = { ...at, where: { ...at.where, name: from ?? to ?? "" } };
    if (!to) note(ofHeader, "optional-response-header-removed", { from });
    if (!from) note(ofHeader, "response-header-added", { to });
  }
  const pairs = pairUp(was.bodies, is.bodies, ({ media }) => media);
  const unknown = pairs.find(([one, other]) => !(one && other) && (one ?? other)?.media === "*/*");
  if (unknown) note(at, unknown[0] ? "became-known" : "became-unknown");
  const it = nameWhole(at.where);
  for (const [one, other] of pairs) {
    const media = (one ?? other)?.media ?? "";
    const ofMedia = { ...at, where: { ...at.where, media } };
    if (one && other) compareWhole(one.shape, other.shape, ofMedia);
    else if (unknown) continue;
    else if (one) note(ofMedia, "response-media-type-removed", { it, from: media });
    else
      note(ofMedia, `response-media-type-added${was.bodies.length === 0 ? " (first)" : ""}`, {
        it,
        to: media,
      });
  }
}
