/** Instead of `uuid` in the bundle: Node has it. */

export function v4(): string {
  return crypto.randomUUID();
}
