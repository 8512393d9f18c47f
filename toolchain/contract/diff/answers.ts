/** How what a route answers has changed: statuses, media types, headers and values. */

import type { Answer, AnswerBody, Operation } from "#convention/contract/contract";
import type { Where } from "./difference.ts";
import type { Note, Places } from "./operation.ts";
import { nameWhole } from "./sentences.ts";

export function compareAnswers(before: Operation, after: Operation, note: Note): void {
  const [known, found] = [byStatus(before), byStatus(after)];
  // An answer whose status nothing says may be any.
  const [wasOpen, isOpen] = [known.get("default"), found.get("default")];
  if (wasOpen && !isOpen)
    note("response-status-became-known", toWhere(wasOpen), { before: wasOpen.location });
  if (isOpen && !wasOpen) note("response-status-became-unknown", toWhere(isOpen), { after: isOpen.location });
  for (const [status, was] of known) {
    const is = found.get(status);
    if (is) compareAnswer(was, is, note);
    else if (was !== wasOpen) {
      const kind = `response-${nameKind(was)}-status-removed${isOpen ? " (unknown)" : ""}` as const;
      note(kind, toWhere(was), { before: was.location }, { from: String(status) });
    }
  }
  for (const [status, is] of found) {
    if (known.has(status) || is === isOpen) continue;
    const kind = `response-${nameKind(is)}-status-added${wasOpen ? " (known)" : ""}` as const;
    const why = is.description === undefined ? "" : `: ${is.description.replace(/\.$/, "")}`;
    note(kind, toWhere(is), { after: is.location }, { to: String(status), why });
  }
}

function byStatus({ answers }: Operation): ReadonlyMap<Answer["status"], Answer> {
  return new Map(answers.map((one) => [one.status, one]));
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
  for (const name of was.headers.filter((header) => !is.headers.includes(header)))
    note("optional-response-header-removed", { ...where, name }, places, { from: name });
  for (const name of is.headers.filter((header) => !was.headers.includes(header)))
    note("response-header-added", { ...where, name }, places, { to: name });
  const left = new Map(is.bodies.map((body) => [body.media, body]));
  const gone: AnswerBody[] = [];
  for (const body of was.bodies) {
    const now = left.get(body.media);
    left.delete(body.media);
    if (now) note.shapes(body.shape, now.shape, { ...where, media: now.media }, places, false);
    else gone.push(body);
  }
  noteMedia(gone, [...left.values()], was.bodies.length === 0, where, places, note);
}

function noteMedia(
  gone: readonly AnswerBody[],
  added: readonly AnswerBody[],
  isFirst: boolean,
  where: Where,
  places: Places,
  note: Note,
): void {
  const it = nameWhole(where);
  const isUnknown = ({ media }: AnswerBody): boolean => media === "*/*";
  if ([...gone, ...added].some(isUnknown)) {
    note(`response-body-became-${gone.some(isUnknown) ? "known" : "unknown"}`, where, places);
    return;
  }
  for (const { media } of gone)
    note("response-media-type-removed", { ...where, media }, places, { it, from: media });
  const kind = isFirst ? "response-media-type-added (first)" : "response-media-type-added";
  for (const { media } of added) note(kind, { ...where, media }, places, { it, to: media });
}
