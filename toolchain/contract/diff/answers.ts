/** How what a route answers has changed: statuses, media types, headers and values. */

import type { Answer, AnyOperation } from "#convention/contract/contract";
import type { Where } from "./difference.ts";
import type { Note } from "./operation.ts";
import { pairUp } from "./pairs.ts";
import { nameWhole } from "./sentences.ts";

export function compareAnswers(before: AnyOperation, after: AnyOperation, note: Note): void {
  // An answer whose status nothing says may be any.
  const [wasOpen, isOpen] = [before, after].map(({ answers }) =>
    answers.some(({ status }) => status === "default"),
  );
  for (const [was, is] of pairUp(before.answers, after.answers, ({ status }) => status)) {
    if (was && is) compareAnswer(was, is, note);
    else if (was) {
      const kind = `response-${nameKind(was)}-status-removed${isOpen ? " (unknown)" : ""}` as const;
      const isKnown = was.status === "default";
      note(
        isKnown ? "response-status-became-known" : kind,
        toWhere(was),
        { before: was.location },
        { from: String(was.status) },
      );
    } else if (is) {
      const kind = `response-${nameKind(is)}-status-added${wasOpen ? " (known)" : ""}` as const;
      const why = is.description === undefined ? "" : `: ${is.description.replace(/\.$/, "")}`;
      const isUnknown = is.status === "default";
      note(
        isUnknown ? "response-status-became-unknown" : kind,
        toWhere(is),
        { after: is.location },
        { to: String(is.status), why },
      );
    }
  }
}

function toWhere({ status }: Answer): Where {
  return { side: "response", status, pointer: "" };
}

function nameKind({ status }: Answer): "success" | "non-success" {
  return typeof status === "number" && status >= 200 && status < 300 ? "success" : "non-success";
}

function compareAnswer(was: Answer, is: Answer, note: Note): void {
  const places = { before: was.location, after: is.location };
  const where = toWhere(is);
  for (const [from, to] of pairUp(was.headers, is.headers, (name) => name)) {
    if (!to) note("optional-response-header-removed", { ...where, name: from ?? "" }, places, { from });
    if (!from) note("response-header-added", { ...where, name: to ?? "" }, places, { to });
  }
  const pairs = pairUp(was.bodies, is.bodies, ({ media }) => media);
  const unknown = pairs.find(([one, other]) => !(one && other) && (one ?? other)?.media === "*/*");
  if (unknown) note(`response-body-became-${unknown[0] ? "known" : "unknown"}`, where, places);
  const it = nameWhole(where);
  for (const [one, other] of pairs) {
    const media = (one ?? other)?.media ?? "";
    const ofMedia = { ...where, media };
    if (one && other) note.shapes(one.shape, other.shape, ofMedia, places, false);
    else if (unknown) continue;
    else if (one) note("response-media-type-removed", ofMedia, places, { it, from: media });
    else {
      const first = was.bodies.length === 0 ? " (first)" : "";
      note(`response-media-type-added${first}`, ofMedia, places, { it, to: media });
    }
  }
}
