/** What a function of the client takes: an object with a part for each place of the request. */

import type { Input, Operation } from "#convention/contract/contract";
import { isBody } from "#convention/wire/clashes";
import { hasFile, objectsOf } from "#convention/wire/texts";
import { describeNotes, formatBraces, formatKey, type Member } from "./layout.ts";
import { type Types, toIndex } from "./types.ts";

/** The places by their names in the input. */
const PLACES = { path: "path", query: "query", headers: "header", cookies: "cookie" } as const;

/** @returns the parameter as it is declared, as in `input: { path: { id: number } }`. */
export function writeInput({ inputs }: Operation, types: Types): string {
  const parts = Object.entries(PLACES).flatMap(([key, place]) => {
    const found = inputs.filter((input) => input.in === place);
    return toPart(key, found, types);
  });
  const members = [...parts, ...inputs.filter(isBody).map((input) => toBody(input, types))];
  if (members.length === 0) return "input?: NoInput";
  const isOptional = members.every(({ key }) => key.endsWith("?"));
  return `input${isOptional ? "?" : ""}: ${formatBraces(members)}`;
}

/** How the body is sent: a form with files is not urlencoded. */
export function bodyKind(
  { inputs }: Operation,
  { definitions }: Types,
): "json" | "form" | "multipart" | undefined {
  const body = inputs.find(isBody);
  if (body?.in !== "form") return body && "json";
  return hasFile(body.shape, definitions) ? "multipart" : "form";
}

function toBody({ in: place, required, shape }: Input, types: Types): Member {
  const type = types.write(shape, "sent");
  return optionalMark("body", required, place === "form" ? `${type} | FormData` : type);
}

function toPart(key: string, inputs: readonly Input[], types: Types): readonly Member[] {
  if (inputs.length === 0) return [];
  const named = inputs.filter(({ isRest }) => !isRest).map((input) => toMember(input, types));
  const [rest] = inputs.filter(({ isRest }) => isRest);
  const isWhole = rest !== undefined && objectsOf(rest.shape, types.definitions).length > 0;
  const members = rest && !isWhole ? [...named, toIndex(named, types.write(rest.shape, "sent"))] : named;
  const texts = [
    ...(members.length > 0 ? [formatBraces(members)] : []),
    ...(isWhole ? [`(${types.write(rest.shape, "sent")})`] : []),
  ];
  return [optionalMark(key, inputs.some(isRequired), texts.join(" & "))];
}

/** A browser sends its cookies by itself, and no script can. Of a query that a schema checks, nothing is known. */
function isRequired({ in: place, required, isRest, shape }: Input): boolean {
  return required && place !== "cookie" && !(isRest && shape.kind === "schema");
}

function toMember(input: Input, types: Types): Member {
  const { name, shape } = input;
  const member = optionalMark(
    formatKey(name),
    isRequired(input),
    `${shape.kind === "array" ? "readonly " : ""}${types.write(shape, "sent")}`,
  );
  const comment = describeNotes(input);
  return comment === "" ? member : { ...member, comment };
}

/** What is undefined is not sent. */
function optionalMark(name: string, required: boolean, text: string): Member {
  return required ? { key: name, text } : { key: `${name}?`, text: `${text} | undefined` };
}
