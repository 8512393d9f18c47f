/** Sets JSON in lines without reading its values: a number stays as it was sent, however long it is. */

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** @param text is JSON. @example formatJsonText('{"a":1}') // "{\n  \"a\": 1\n}" */
export function formatJsonText(text: string): string {
  let [formatted, margin, before] = ["", "\n", ""];
  for (const [token] of text.matchAll(TOKEN)) {
    const closes = token === "}" || token === "]";
    const wasOpened = before === "{" || before === "[";
    if (closes) margin = margin.slice(0, -2);
    if (closes ? !wasOpened : wasOpened || before === ",") formatted += margin;
    formatted += token === ":" ? ": " : token;
    if (token === "{" || token === "[") margin += "  ";
    before = token;
  }
  return formatted;
}
