/** Formats shapes as TypeScript types, for lists. Long types are cut with `…`. */

import type { Format, ObjectShape, Property, Shape, StringShape, TupleShape } from "#runtime/wire/shape";

const FORMAT_NAMES: Readonly<Record<Format, string>> = {
  date: "DateOnly",
  "date-time": "DateTime",
  duration: "Duration",
  email: "Email",
  hostname: "Hostname",
  ipv4: "Ipv4",
  ipv6: "Ipv6",
  time: "TimeOnly",
  uri: "Uri",
  uuid: "Uuid",
};

/**
 * Omits limits and patterns.
 *
 * @param width the maximum length in characters.
 * @example formatShape(shape) // "{ name: string; price: number }"
 */
export function formatShape(shape: Shape, width = 60): string {
  const characters = [...formatWhole(shape)];
  if (characters.length <= width) return characters.join("");
  const cut = characters.slice(0, Math.max(width - 1, 0)).join("");
  return `${cut.replace(/\s\S*$/, " ")}…`;
}

function formatWhole(shape: Shape): string {
  switch (shape.kind) {
    case "number":
      return shape.integer ? "int" : "number";
    case "string":
      return formatString(shape);
    case "date":
      return "Date";
    case "file":
      return "File";
    case "literal":
      return shape.values.map((value) => JSON.stringify(value)).join(" | ");
    case "array":
      return `${formatItem(shape.items)}[]`;
    case "tuple":
      return formatTuple(shape);
    case "object":
      return formatMembers(shape);
    case "union":
      return shape.of.map(formatWhole).join(" | ");
    case "reference":
      return shape.name;
    case "schema":
      return `typeof ${shape.exported}`;
    default:
      return shape.kind;
  }
}

/** Formats scalars and arrays with their limits and patterns. @example formatLimits(shape) // "int & Max<9>" */
export function formatLimits(shape: Shape): string {
  switch (shape.kind) {
    case "number":
      return limited(
        formatWhole(shape),
        shape,
        (shape.multipleOf ?? []).map((of) => `MultipleOf<${of}>`),
      );
    case "string": {
      const own = (shape.patterns ?? []).filter(({ template }) => template === undefined);
      const patterns = own.map(({ source }) => `Pattern<${JSON.stringify(source)}>`);
      return limited(formatWhole(shape), shape, patterns);
    }
    case "array": {
      const item = formatLimits(shape.items);
      const list = `${/^\w+$/.test(item) ? item : `(${item})`}[]`;
      return limited(list, shape, shape.uniqueItems ? ["UniqueItems"] : []);
    }
    default:
      return formatShape(shape);
  }
}

/** @example limited("int", { max: 9 }, []) // "int & Max<9>" */
function limited(type: string, limits: object, others: readonly string[]): string {
  const written = Object.entries(limits).flatMap(([key, limit]) =>
    typeof limit === "number" ? `${key.charAt(0).toUpperCase()}${key.slice(1)}<${limit}>` : [],
  );
  return [type, ...written, ...others].join(" & ");
}

function formatString({ patterns = [], formats = [] }: StringShape): string {
  const template = patterns.find((pattern) => pattern.template !== undefined)?.template;
  if (template !== undefined) return `\`${template}\``;
  const [format] = formats;
  return format === undefined ? "string" : FORMAT_NAMES[format];
}

function formatItem(shape: Shape): string {
  const isOneOf = shape.kind === "union" || (shape.kind === "literal" && shape.values.length > 1);
  return isOneOf ? `(${formatWhole(shape)})` : formatWhole(shape);
}

function formatTuple({ items, required, rest }: TupleShape): string {
  const parts = items.map((item, index) => (index < required ? formatWhole(item) : `${formatItem(item)}?`));
  if (rest !== undefined) parts.push(`...${formatItem(rest)}[]`);
  return `[${parts.join(", ")}]`;
}

function formatMembers({ properties, others }: ObjectShape): string {
  const rest = others && formatWhole(others);
  if (properties.length === 0) return rest === undefined ? "{}" : `Record<string, ${rest}>`;
  const parts = properties.map(formatProperty);
  if (rest !== undefined) parts.push(`[key: string]: ${rest}`);
  return `{ ${parts.join("; ")} }`;
}

function formatProperty({ name, shape, optional }: Property): string {
  const key = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : JSON.stringify(name);
  return `${key}${optional ? "?" : ""}: ${formatWhole(shape)}`;
}
