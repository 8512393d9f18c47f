/** What the page reads of an OpenAPI document: its operations in order, and what its references lead to. */

type Some<Keys extends string, Value> = { readonly [Key in Keys]?: Value };

export interface Schema
  extends Some<"$ref" | "description" | "format" | "pattern" | "contentMediaType", string>,
    Some<"minLength" | "maxLength" | "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum", number>,
    Some<"multipleOf" | "minItems" | "maxItems", number>,
    Some<"uniqueItems" | "deprecated", boolean>,
    Some<"default" | "const", unknown>,
    Some<"examples" | "enum", readonly unknown[]>,
    Some<"items" | "additionalProperties", Schema | boolean>,
    Some<"prefixItems" | "anyOf" | "oneOf" | "allOf", readonly Schema[]> {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly not?: Schema;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly required?: boolean;
  readonly description?: string;
  readonly deprecated?: boolean;
  /** The slashes in its value are slashes of the path. */
  readonly "x-whole-path"?: boolean;
  readonly schema?: Schema;
}

export type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

export interface Body {
  readonly content: Content;
  readonly required?: boolean;
  readonly description?: string;
}

export interface Answer {
  readonly description?: string;
  readonly content?: Content;
  readonly headers?: Readonly<Record<string, { readonly schema?: Schema; readonly description?: string }>>;
}

export interface Scheme {
  readonly type: string;
  readonly scheme?: string;
  readonly in?: string;
  readonly name?: string;
}

interface Item {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses?: Readonly<Record<string, Answer>>;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly servers?: readonly { readonly url: string; readonly description?: string }[];
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Item>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly securitySchemes?: Readonly<Record<string, Scheme>>;
  };
}

/** One method of one path. */
export interface Operation extends Item {
  readonly id: string;
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  /** Its tag, or else the first segment of its path, as in "/admin". */
  readonly group: string;
  /** What the search looks in, in lower case. */
  readonly text: string;
}

export interface Api {
  readonly document: OpenApi;
  /** Group by group: the tags in the document's order, and then what has none. */
  readonly operations: readonly Operation[];
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly schemes: Readonly<Record<string, Scheme>>;
}

const METHODS = ["get", "post", "put", "patch", "delete", "head", "options", "trace"];

export function readApi(document: OpenApi): Api {
  const tags = (document.tags ?? []).map(({ name }) => name);
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, items]) =>
    METHODS.flatMap((method) => {
      const item = items[method];
      return item === undefined ? [] : [toOperation(path, method.toUpperCase(), item)];
    }),
  );
  const place = ({ tags: [tag = ""] = [], group }: Operation): number =>
    tags.includes(group) ? tags.indexOf(group) : tags.length + (tag === "" ? 1 : 0);
  return {
    document,
    operations: operations.sort((one, other) => place(one) - place(other)),
    schemas: document.components?.schemas ?? {},
    schemes: document.components?.securitySchemes ?? {},
  };
}

function toOperation(path: string, method: string, item: Item): Operation {
  const { operationId: id = `${method} ${path}`, tags: [group = `/${path.split("/")[1]}`] = [] } = item;
  // The framework's own, which says nothing that is not there already.
  const { summary = "", ...others } = item;
  const own = summary === "" || summary === `${method} ${path}` ? {} : { summary };
  const text = [method, path, summary, id, group].join(" ").toLowerCase();
  return { ...others, ...own, id, method, path, group, text };
}

/** @returns the operations whose text has every word of the query. */
export function search(operations: readonly Operation[], query: string): readonly Operation[] {
  const words = query.toLowerCase().split(/\s+/);
  return operations.filter(({ text }) => words.every((word) => text.includes(word)));
}

const SCHEMAS = "#/components/schemas/";

/** @example nameOf({ $ref: "#/components/schemas/User" }) // "User" */
export function nameOf({ $ref = "" }: Schema): string | undefined {
  const name = $ref.startsWith(SCHEMAS) ? $ref.slice(SCHEMAS.length) : "";
  return name === "" || name.includes("/") ? undefined : decodeURIComponent(name);
}

/** More references than this that lead only to each other lead nowhere. */
const MOST_STEPS = 20;

/** @returns what a schema's references lead to, with what is said beside them. Any JSON fits where they lead nowhere. */
export function resolve(schema: Schema | boolean | undefined, { document }: Pick<Api, "document">): Schema {
  let found = toSchema(schema);
  for (let step = 0; found.$ref !== undefined && step < MOST_STEPS; step++) {
    const { $ref, ...beside } = found;
    found = { ...toSchema(follow($ref, document)), ...beside };
  }
  return found.$ref === undefined ? found : {};
}

/** `false` fits nothing, `true` everything. */
function toSchema(schema: unknown): Schema {
  if (schema === false) return { not: {} };
  return typeof schema === "object" && schema !== null ? schema : {};
}

/** A JSON pointer in a fragment (RFC 6901 section 6). */
function follow(reference: string, document: OpenApi): unknown {
  const steps = reference.startsWith("#/") ? reference.slice(2).split("/") : ["?"];
  return steps.reduce<unknown>((value, step) => {
    const key = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    const isThere = typeof value === "object" && value !== null && Object.hasOwn(value, key);
    return isThere ? (value as Record<string, unknown>)[key] : undefined;
  }, document);
}

/** The schemas of which a value fits at least one. */
export function casesOf({ anyOf, oneOf }: Schema): readonly Schema[] {
  return anyOf ?? oneOf ?? [];
}
