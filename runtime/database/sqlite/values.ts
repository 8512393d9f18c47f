/** How values go into SQLite and come back. */

import { readTime, requireNumber, requireText, toTimestamp } from "../engine/values.ts";

/** @throws {DatabaseError} for what a Postgres server refuses, too. */
export function toParameter(value: unknown): unknown {
  switch (typeof value) {
    case "string":
      return requireText(value);
    case "number":
      // As a number, Node would bind 5.0, and a text of it would have the point.
      return Number.isSafeInteger(value) ? BigInt(value) : requireNumber(value);
    case "boolean":
      return value ? 1n : 0n;
    case "undefined":
      return null;
    case "object":
      return toObjectParameter(value);
    default:
      return value;
  }
}

function toObjectParameter(value: object | null): unknown {
  if (value === null || ArrayBuffer.isView(value)) return value;
  if (value instanceof Date) return toTimestamp(value);
  return JSON.stringify(value);
}

/** Gives what a column's value means, where it means something else than it is. */
export type Convert = (value: unknown) => unknown;

/** @param type as the column is declared. */
export function converterOf(type: string | null): Convert | undefined {
  switch (type?.toLowerCase().replace(/\(.*\)/, "")) {
    case "boolean":
      return toBoolean;
    case "timestamp":
    case "timestamptz":
    case "timestamp with time zone":
    case "timestamp without time zone":
    case "datetime":
      return toIso;
    case "json":
    case "jsonb":
      return fromJson;
    default:
      return undefined;
  }
}

/** True for a moment, which is the same in each zone. @param type as the column is declared */
export function isTimeType(type: string): boolean {
  return /^timestamp(?:tz| *(?:\(\d+\))? *with time zone)/i.test(type);
}

function toBoolean(value: unknown): unknown {
  return typeof value === "number" || typeof value === "bigint" ? Number(value) !== 0 : value;
}

/** SQLite's own functions write a space for the T, and no Z. */
function toIso(value: unknown): unknown {
  return typeof value === "string" && value[10] === " " ? readTime(value) : value;
}

function fromJson(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** An integer that a number holds exactly is one. */
export function toNumber(value: unknown): unknown {
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
