/** How what a route answers has changed: statuses, media types, headers and values. */

import type { Answer, AnswerBody, Operation } from "#convention/contract/contract";
import type { Where } from "./difference.ts";
import type { Note } from "./operation.ts";
import { capitalizeFirst, nameAnswer } from "./sentences.ts";

export function compareAnswers(before: Operation, after: Operation, note: Note): void {
  const [known, found] = [byStatus(before), byStatus(after)];
  compareOpenness(known, found, note);
  for (const [status, was] of known) {
    const is = found.get(status);
    if (is) compareAnswer(was, is, note);
    else if (status !== "default") noteGoneAnswer(was, found.has("default"), note);
  }
  for (const [status, is] of found)
    if (!known.has(status) && status !== "default") noteNew(is, known.has("default"), note);
}

type Answers = ReadonlyMap<Answer["status"], Answer>;

function byStatus({ answers }: Operation): Answers {
  return new Map(answers.map((one) => [one.status, one]));
}

/** An answer whose status nothing says may be any. */
function compareOpenness(known: Answers, found: Answers, note: Note): void {
  const [was, is] = [known.get("default"), found.get("default")];
  const where: Where = { side: "response", status: "default", pointer: "" };
  if (was && !is) {
    const message = "The source says now with which statuses the route answers; it did not before.";
    note("risky", "response-status-became-known", where, message, { before: was.location });
  }
  if (is && !was) {
    const message = "The source no longer says with which statuses the route answers.";
    note("risky", "response-status-became-unknown", where, message, { after: is.location });
  }
}

function isSuccess(status: Answer["status"]): boolean {
  return typeof status === "number" && status >= 200 && status < 300;
}

function noteGoneAnswer(was: Answer, isOpen: boolean, note: Note): void {
  const { status, location } = was;
  const where: Where = { side: "response", status, pointer: "" };
  const kind = isSuccess(status) ? "success" : "non-success";
  const level = !isSuccess(status) ? "other" : isOpen ? "risky" : "breaking";
  note(level, `response-${kind}-status-removed`, where, `The route no longer answers ${status}.`, {
    before: location,
  });
}

function noteNew(is: Answer, wasOpen: boolean, note: Note): void {
  const { status, location, description } = is;
  const where: Where = { side: "response", status, pointer: "" };
  const kind = isSuccess(status) ? "success" : "non-success";
  const why = description === undefined ? "" : `: ${description}`;
  const message = wasOpen ? `The route answers ${status}${why}` : `The route may answer ${status} now${why}`;
  note("other", `response-${kind}-status-added`, where, message.replace(/\.?$/, "."), { after: location });
}

function compareAnswer(was: Answer, is: Answer, note: Note): void {
  compareHeaders(was, is, note);
  const places = { before: was.location, after: is.location };
  const where: Where = { side: "response", status: is.status, pointer: "" };
  const left = new Map(is.bodies.map((body) => [body.media, body]));
  const gone: AnswerBody[] = [];
  for (const body of was.bodies) {
    const now = left.get(body.media);
    left.delete(body.media);
    if (now) note.shapes(body.shape, now.shape, { ...where, media: now.media }, places, false);
    else gone.push(body);
  }
  const subject = capitalizeFirst(nameAnswer(where));
  const isUnknown = [...gone, ...left.values()].some(({ media }) => media === "*/*");
  if (isUnknown) noteUnknownMedia(gone, where, note, places);
  else {
    for (const { media } of gone)
      note(
        "breaking",
        "response-media-type-removed",
        { ...where, media },
        `${subject} is no longer ${media}.`,
        places,
      );
    for (const { media } of left.values()) {
      const level = was.bodies.length === 0 ? "risky" : "other";
      note(
        level,
        "response-media-type-added",
        { ...where, media },
        `${subject} may be ${media} now.`,
        places,
      );
    }
  }
}

function noteUnknownMedia(gone: readonly AnswerBody[], where: Where, note: Note, places: Note.Places): void {
  const wasUnknown = gone.some(({ media }) => media === "*/*");
  const message = wasUnknown
    ? `The source says now what ${nameAnswer(where)} is; it did not before.`
    : `The source no longer says what ${nameAnswer(where)} is.`;
  note("risky", `response-body-became-${wasUnknown ? "known" : "unknown"}`, where, message, places);
}

function compareHeaders(was: Answer, is: Answer, note: Note): void {
  const places = { before: was.location, after: is.location };
  const subject = nameAnswer({ side: "response", status: is.status, pointer: "" });
  for (const name of was.headers.filter((header) => !is.headers.includes(header))) {
    const where: Where = { side: "response", status: is.status, name, pointer: "" };
    note(
      "risky",
      "optional-response-header-removed",
      where,
      `${capitalizeFirst(subject)} no longer has the header \`${name}\`.`,
      places,
    );
  }
  for (const name of is.headers.filter((header) => !was.headers.includes(header))) {
    const where: Where = { side: "response", status: is.status, name, pointer: "" };
    note(
      "other",
      "response-header-added",
      where,
      `${capitalizeFirst(subject)} has the header \`${name}\` now.`,
      places,
    );
  }
}
