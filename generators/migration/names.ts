/** Names in a database: in lower case, so that SQL needs no quotes around them. */

/** Postgres cuts longer ones off, and an index has the names of its table and its column in its own. */
export const LONGEST_NAME_IN_DATABASE = 40;

/** @example isSnakeCase("first_name") // true */
export function isSnakeCase(name: string): boolean {
  return /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name);
}

/** The hint for a name that is in another form. */
export function suggestSnakeCase(name: string): string {
  const plain = toSnakeCase(name);
  return plain !== undefined && plain !== name
    ? `Did you mean \`${plain}\`?`
    : "Use lower case letters, digits and `_`, and begin with a letter.";
}

/** @returns undefined where nothing is left. @example toSnakeCase("firstName") // "first_name" */
export function toSnakeCase(name: string): string | undefined {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, "_")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[_0-9]+|_+$/g, "");
  return plain === "" ? undefined : plain;
}
