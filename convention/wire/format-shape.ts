/** A shape as a short text that looks like its type, for lists: what is too long for a line ends in `…`. */

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
 * @param width in characters, about; a single name may be longer. Bounds and patterns are left out.
 * @example formatShape(shape) // "{ name: string; price: number }"
 */
export function formatShape(shape: Shape, width = 60): string {
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
      return fit(
        "",
        shape.values.map((value) => () => JSON.stringify(value)),
        " | ",
        "",
        width,
      );
    case "array":
      return `${formatItem(shape.items, width - 2)}[]`;
    case "tuple":
      return formatTuple(shape, width);
    case "object":
      return formatMembers(shape, width);
    case "union":
      return fit(
        "",
        shape.of.map((one) => (room) => formatShape(one, room)),
        " | ",
        "",
        width,
      );
    case "reference":
      return shape.name;
    case "schema":
      return `typeof ${shape.exported}`;
    default:
      return shape.kind;
  }
}

/** With limits and patterns, where it is not an object. @example formatLimits(shape) // "int & Max<9>" */
export function formatLimits(shape: Shape): string {
  switch (shape.kind) {
    case "number":
      return limited(
        formatShape(shape),
        shape,
        (shape.multipleOf ?? []).map((of) => `MultipleOf<${of}>`),
      );
    case "string": {
      const own = (shape.patterns ?? []).filter(({ template }) => template === undefined);
      const patterns = own.map(({ source }) => `Pattern<${JSON.stringify(source)}>`);
      return limited(formatShape(shape), shape, patterns);
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

function formatItem(shape: Shape, width: number): string {
  const isOneOf = shape.kind === "union" || (shape.kind === "literal" && shape.values.length > 1);
  return isOneOf ? `(${formatShape(shape, width - 2)})` : formatShape(shape, width);
}

function formatTuple({ items, required, rest }: TupleShape, width: number): string {
  const parts = items.map((item, index) => (room: number) => {
    return index < required ? formatShape(item, room) : `${formatItem(item, room - 1)}?`;
  });
  if (rest !== undefined) parts.push((room) => `...${formatItem(rest, room - 5)}[]`);
  return fit("[", parts, ", ", "]", width);
}

function formatMembers({ properties, others }: ObjectShape, width: number): string {
  if (properties.length === 0) {
    return others === undefined ? "{}" : `Record<string, ${formatShape(others, width - 16)}>`;
  }
  const parts = properties.map((property) => (room: number) => formatProperty(property, room));
  if (others !== undefined) parts.push((room) => `[key: string]: ${formatShape(others, room - 15)}`);
  return fit("{ ", parts, "; ", " }", width);
}

function formatProperty({ name, shape, optional }: Property, width: number): string {
  const key = `${/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : JSON.stringify(name)}${optional ? "?" : ""}: `;
  return key + formatShape(shape, width - key.length);
}

type Cut = (width: number) => string;

/** The parts for which there is room, each cut to the room that is left. */
function fit(open: string, parts: readonly Cut[], separator: string, close: string, width: number): string {
  const shown: string[] = [];
  let room = width - open.length - close.length;
  for (const [index, part] of parts.entries()) {
    const reserve = index === parts.length - 1 ? 0 : separator.length + 1;
    const text = room < 1 ? "" : part(room - reserve);
    if (room < 1 || (index > 0 && text.length > room - reserve)) {
      shown.push("…");
      break;
    }
    shown.push(text);
    room -= text.length + separator.length;
  }
  return open + shown.join(separator) + close;
}
