/** What a handler returns, as answers. */

import type { Location } from "#runtime/routing/route";
import { diagnose } from "../../diagnostics/catalogue.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Sources } from "../../project.ts";
import { resolveExport } from "../../source/exports.ts";
import type { Modules } from "../../source/modules.ts";
import { readReturns } from "../../source/returned.ts";
import { type FunctionSource, resultOf, scopeOf, writtenResultOf } from "../../wire/result-types.ts";
import type { ScopedType } from "../../wire/scope.ts";
import type { TypePlace } from "../../wire/type.ts";
import type { TypedRoute } from "../../wire/typed-route.ts";
import { ANYTHING, type Answer, type FoundAnswers } from "../contract.ts";
import { type RepliedHeaders, readReplies } from "./replies.ts";
import { type Piece, splitResult } from "./split.ts";

/** @param file of the project, relative to the root. @returns what the exported function returns; undefined where it is not known. */
export type Inferred = (file: string, exported: string) => ScopedType | undefined;

/** The types of what a handler returns. */
interface Found {
  readonly types: readonly ScopedType[];
  /** They are written, or inferred; otherwise each is what a `return` says. */
  readonly isWhole: boolean;
}

/** The parts of a result, and where each is given. */
interface Split extends Found {
  readonly pieces: readonly (Piece & { readonly location: Location })[];
}

/** A handler, or another function whose result is an answer. */
export type Answering = Pick<TypedRoute, "module" | "handler" | "location">;

export function readReturned(
  sources: Sources,
  route: Answering,
  inferred: Inferred | undefined,
): FoundAnswers {
  const { handler, location } = route;
  const { shapes, modules } = sources.types;
  const source = findHandler(modules, route);
  const found = findResult();
  if (found === undefined) return notKnown(handler, location);
  const unread: TypePlace[] = [];
  const unsendable: TypePlace[] = [];
  const known = found.pieces.flatMap(toAnswers);
  const isOpen = found.pieces.some(({ problem }) => problem && !problem.isUnsendable);
  const answers = isOpen ? known.map(withAnything) : known;
  return { answers, diagnostics: diagnoseAll(handler, found.isWhole, unread, unsendable) };

  /** What is written, else what `tsc` has inferred, else what each `return` says. */
  function findResult(): Split | undefined {
    const written = source && writtenResultOf(modules, source);
    if (written) return split({ types: [written], isWhole: true });
    const type = inferred?.(route.module, handler);
    const whole = type && split({ types: [type], isWhole: true });
    if (whole && !isVague(whole)) return whole;
    const said = source && split(typesOf(modules, source));
    return whole && (said === undefined || saysLess(said, whole)) ? whole : said;
  }

  function split(one: Found): Split {
    const pieces = one.types.flatMap((scoped) =>
      splitResult(shapes.part(scoped)).map((piece) => ({ ...piece, location: scoped.type.location })),
    );
    return { ...one, pieces };
  }

  function toAnswers(piece: Split["pieces"][number]): readonly Answer[] {
    const { status, media, body, problem, isReply, isBinary } = piece;
    if (problem) (problem.isUnsendable ? unsendable : unread).push(problem.type.at);
    const read = body && shapes.readResult(body);
    unread.push(...(read?.unread ?? []));
    const shape = read?.shape ?? { kind: isBinary ? "file" : "unknown" };
    const bodies = media === null ? [] : [{ media, shape }];
    const answer: Answer = { status, bodies, headers: [], location: piece.location };
    return isReply && source ? withHeaders(answer, readReplies(source)) : [answer];
  }
}

/** Next to a value of unknown type nothing is known of what is sent with 200. */
function withAnything(answer: Answer): Answer {
  return answer.status === 200 ? { ...answer, bodies: [ANYTHING] } : answer;
}

/** TypeScript calls it `any` where one part is, and `void` where a function only throws. */
function isVague({ pieces }: Split): boolean {
  return pieces.some(({ problem }) => problem) || pieces.every(({ status }) => status === 204);
}

function saysLess(said: Split, whole: Split): boolean {
  return said.pieces.some(({ problem }) => problem) && whole.pieces.some(({ problem }) => !problem);
}

function findHandler(
  modules: Modules,
  { module: file, handler, location }: Answering,
): FunctionSource | undefined {
  const module = modules.get(file);
  const origin = module && resolveExport(modules, module, handler, location);
  return origin?.kind === "function" ? origin : undefined;
}

/** One for each `return`, for its own place. */
function typesOf(modules: Modules, source: FunctionSource): Found {
  const returned = readReturns(source.value, source.module);
  const scope = scopeOf(source.module, source.value);
  const generated = returned?.isGenerator ? resultOf(modules, source) : undefined;
  const types = generated ? [generated] : (returned?.types ?? []).map((type) => ({ type, scope }));
  return { types, isWhole: false };
}

function notKnown(name: string, location: Location): FoundAnswers {
  return {
    answers: [{ status: "default", bodies: [ANYTHING], headers: [], location }],
    diagnostics: [diagnose("FW900", { name, type: name }, location)],
  };
}

function diagnoseAll(
  name: string,
  isWhole: boolean,
  unread: readonly TypePlace[],
  [unsendable]: readonly TypePlace[],
): readonly Diagnostic[] {
  const shown = isWhole ? unread : unread.slice(0, 1);
  return [
    ...shown.map(({ text: type, location }) =>
      isWhole ? diagnose("FW902", { type }, location) : diagnose("FW900", { name, type }, location),
    ),
    ...(unsendable ? [diagnose("FW901", { name, type: unsendable.text }, unsendable.location)] : []),
  ];
}

/** The headers that the calls of `reply` with this status give. A content type replaces that of the value. */
function withHeaders(answer: Answer, replies: readonly RepliedHeaders[]): readonly Answer[] {
  const own = replies.filter(({ status }) => status === undefined || status === answer.status);
  if (own.length === 0) return [answer];
  return own.map(({ names, media }) => {
    const bodies = answer.bodies.map((body) => ({ ...body, media: media ?? body.media }));
    return { ...answer, bodies, headers: [...new Set(names)].sort() };
  });
}
