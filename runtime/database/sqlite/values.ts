/** Converts values to SQLite and back. */

import { readTime, requireNumber, requireText, toTimestamp } from "../engine/values.ts";

/** @throws {DatabaseError} for a value that a Postgres server refuses, too. */
export function toParameter(value: unknown): unknown {
  switch (typeof value) {
    case "string":
      return requireText(value);
    case "number":
      // Node would bind a number as 5.0, which becomes "5.0" in a text column.
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

/** Converts a stored value to the type of its column. */
export type Convert = (value: unknown) => unknown;

/** @param type the declared type of the column. @returns undefined if values need no conversion. */
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

/** True for the type of an instant, with a time zone. @param type the declared type of the column */
export function isTimeType(type: string): boolean {
  return /^timestamp(?:tz| *(?:\(\d+\))? *with time zone)/i.test(type);
}

function toBoolean(value: unknown): unknown {
  return typeof value === "number" || typeof value === "bigint" ? Number(value) !== 0 : value;
}

/** Normalizes times of SQLite's own functions, which have a space instead of T, and no Z. */
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

/** Converts a bigint to a number if that is exact. */
export function toNumber(value: unknown): unknown {
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
