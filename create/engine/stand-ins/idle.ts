/** Instead of the packages whose work `npm create` does not want done. See README.md. */

const same = (text: string): string => text;
/** What slash and chalk give back: a path with its backslashes, and a text without colour. */
const plain: unknown = Object.assign(same, { gray: same, green: same, bold: { cyan: same } });
export default plain;

export function epicfail(): void {}

export function availableLicenses(): string[] {
  return [];
}
