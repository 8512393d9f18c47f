/**
 * Renders a template file: TypeScript that is read and checked as it is, with marks in comments. A mark at the end of a line is about the
 * line; one on a line of its own is about the lines up to its `// end`.
 *
 *     // if name     stays where the view has something of the name; `// else` begins what stays where it has not
 *     // each name   is repeated for each entry of a list, with the entry's words
 */

/**
 * Words that are replaced, and by name what `if` and `each` ask for: a flag or a list of the view, or else a flag of its columns. An entry
 * of a list hides what is around it.
 */
export interface View {
  readonly [name: string]: string | boolean | readonly View[];
}

const MARK = /^(.*?)\s*\/\/ (if|each) (\w+)$/;
const INLINE = /\/\* if (\w+) \*\/ (.*?) \/\* end \*\/( ?)/g;

/** @example renderTemplate('"field", // each columns\n', { columns: [{ field: "title" }] }) // '"title",\n' */
export function renderTemplate(template: string, view: View): string {
  const text = render(template.split("\n"), view).join("\n");
  // Options of which none is left, and several empty lines.
  const bare = text.replace(/(?:, )?\{\n *\}\)/g, ")").replace(/\n{3,}/g, "\n\n");
  return `${bare.trimEnd()}\n`;
}

function render(lines: readonly string[], view: View): readonly string[] {
  const [line, ...rest] = lines;
  if (line === undefined) return [];
  const [, code = "", verb, name = ""] = MARK.exec(line) ?? [];
  if (verb === undefined) return [fill(line, view), ...render(rest, view)];
  const length = code === "" ? findEnd(rest, "// end") : 0;
  const inner = code === "" ? rest.slice(0, length) : [code];
  const after = code === "" ? rest.slice(length + 1) : rest;
  return [...(verb === "if" ? choose(inner, name, view) : repeat(inner, name, view)), ...render(after, view)];
}

function repeat(lines: readonly string[], name: string, view: View): readonly string[] {
  return entriesOf(view, name).flatMap((entry) => render(lines, { ...view, ...entry }));
}

function entriesOf(view: View, name: string): readonly View[] {
  const [own, columns] = [view[name], view.columns];
  if (typeof own === "object") return own;
  return typeof columns === "object" ? columns.filter((column) => column[name] === true) : [];
}

function choose(lines: readonly string[], name: string, view: View): readonly string[] {
  const middle = findEnd(lines, "// else");
  return render(has(view, name) ? lines.slice(0, middle) : lines.slice(middle + 1), view);
}

function has(view: View, name: string): boolean {
  const value = view[name];
  return typeof value === "boolean" ? value : entriesOf(view, name).length > 0;
}

/** The index of the mark that belongs to the block; the length without one. */
function findEnd(lines: readonly string[], mark: string): number {
  let depth = 0;
  for (const [index, line] of lines.entries()) {
    const text = line.trim();
    if (depth === 0 && text === mark) return index;
    if (/^\/\/ (?:if|each) \w+$/.test(text)) depth += 1;
    if (text === "// end") depth -= 1;
  }
  return lines.length;
}

/** In one pass, so that a word of the user is not replaced again. */
function fill(line: string, view: View): string {
  const kept = line.replace(INLINE, (_, name: string, code: string, space: string) =>
    has(view, name) ? code + space : "",
  );
  const words = Object.entries(view).flatMap(([word, value]) => (typeof value === "string" ? [word] : []));
  const escaped = words
    .sort((one, other) => other.length - one.length)
    // A word in lower case is not the end of another one.
    .map(
      (word) => (/^[a-z]/.test(word) ? "(?<![A-Za-z])" : "") + word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"),
    );
  return kept.replace(new RegExp(escaped.join("|") || "$^", "g"), (word) => String(view[word]));
}
