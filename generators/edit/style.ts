/** The layout of a source file, read from its text, so that generated code looks like the rest. */

export interface Style {
  /** One level: two spaces, four, a tab. */
  readonly indent: string;
  readonly quote: '"' | "'";
  readonly semicolons: boolean;
  readonly eol: "\n" | "\r\n";
}

/** In columns: where generated lists are broken. The rest is the formatter's business. */
export const WIDTH = 80;

/** The layout of a new file in a project without an example. */
export const DEFAULT_STYLE: Style = {
  indent: "  ",
  quote: '"',
  semicolons: true,
  eol: "\n",
};

/** Comments with the space after them, template literals and strings, whichever begins first. */
const TRIVIA =
  /\/\/[^\r\n]*|\/\*[\s\S]*?\*\/[ \t]*|`(?:\\[\s\S]|[^`\\])*`|"(?:\\.|[^"\\\r\n])*"|'(?:\\.|[^'\\\r\n])*'/g;
const ENDS_A_STATEMENT =
  /^(?:(?:import|export [{*]|const|let|return|throw|await)\b.*[\w"'`)\]}]|\} from "")$/;

/**
 * Reads the layout of a file. The majority decides each property; where nothing shows it, `fallback` does.
 *
 * @example detectStyle("const a = 'x'\n") // { quote: "'", semicolons: false, … }
 */
export function detectStyle(source: string, fallback: Style = DEFAULT_STYLE): Style {
  const text = source.replace(/^\uFEFF/, "");
  const strings: string[] = [];
  const code = text.replace(TRIVIA, (found) => {
    if (found[0] === "/") return "";
    if (found[0] === "`") return "``";
    strings.push(found);
    return '""';
  });
  const lines = code.split(/\r?\n/);
  return {
    indent: detectIndent(lines) ?? fallback.indent,
    quote: detectQuote(strings) ?? fallback.quote,
    semicolons: detectSemicolons(lines) ?? fallback.semicolons,
    eol: detectEol(text) ?? fallback.eol,
  };
}

/** Code without comments and strings. What is in a template literal stays. */
export function withoutTrivia(text: string): string {
  return text.replace(TRIVIA, (found) => (found[0] === "`" ? found : ""));
}

/**
 * Gives a blueprint the layout of a file. Blueprints are written with two spaces, double quotes, semicolons and `\n`, hold no
 * comment at the end of a line of code, and begin no statement with a bracket (so that leaving out semicolons is safe).
 */
export function applyStyle(blueprint: string, style: Style): string {
  let text = joinShort(blueprint).replace(/^(?: {2})+/gm, (spaces) => style.indent.repeat(spaces.length / 2));
  if (style.quote === "'") text = text.replace(/"((?:\\.|[^"\\\n])*)"/g, singleQuoted);
  if (!style.semicolons) text = text.replace(/;$/gm, "");
  return style.eol === "\n" ? text : text.replaceAll("\n", style.eol);
}

/** A list with an item on each line, or an arrow with its body below it, in an indentation of its own. Not parameters before an object type. */
const BROKEN = /^( *)(.*[([{]|.* =>)\n((?:\1 {2}[^\s/*].*,\n)*)\1([)\]}](?!: \{$).*)$/gm;

/** Joins what is broken and fits on one line, from the inside out. The rest is the formatter's business. */
function joinShort(text: string): string {
  const joined = text.replace(BROKEN, (whole, space: string, open: string, items: string, close: string) => {
    const inner = items.trim().replace(/,\n +/g, ", ").slice(0, -1);
    const pad = inner !== "" && /\{$| =>$/.test(open) ? " " : "";
    const line = `${space}${open}${pad}${inner}${open.endsWith("=>") ? "" : pad}${close}`;
    return line.length > WIDTH || inner.includes("\n") ? whole : line;
  });
  return joined === text ? text : joinShort(joined);
}

/** Whether a text has what a blueprint gives, in the layout of any formatter. */
export function hasBlueprint(text: string, blueprint: string): boolean {
  return withoutLayout(text).includes(withoutLayout(blueprint));
}

function withoutLayout(text: string): string {
  return text
    .replaceAll("'", '"')
    .replace(/[\s,;]/g, "")
    .replaceAll(":|", ":");
}

/** A string with the other quote inside keeps its own, as formatters do to avoid escapes. */
function singleQuoted(whole: string, content: string): string {
  return content.includes("'") || content.includes("\\") ? whole : `'${content}'`;
}

function detectIndent(lines: readonly string[]): string | undefined {
  const votes = new Map<string, number>();
  let previous = "";
  for (const line of lines) {
    const leading = /^[ \t]*/.exec(line)?.[0] ?? "";
    if (leading.length === line.length) continue;
    const step = leading.startsWith(previous) ? leading.slice(previous.length) : "";
    if (step === "\t" || /^ {2,8}$/.test(step)) votes.set(step, (votes.get(step) ?? 0) + 1);
    previous = leading;
  }
  return [...votes].sort((one, other) => other[1] - one[1])[0]?.[0];
}

function detectQuote(strings: readonly string[]): Style["quote"] | undefined {
  const single = strings.filter((string) => /^'[^"]*$/.test(string)).length;
  const double = strings.filter((string) => /^"[^']*$/.test(string)).length;
  if (single === double) return undefined;
  return single > double ? "'" : '"';
}

function detectSemicolons(lines: readonly string[]): boolean | undefined {
  const ends = lines.map((line) => line.trim());
  const withThem = ends.filter((line) => line.endsWith(";")).length;
  const without = ends.filter((line) => ENDS_A_STATEMENT.test(line)).length;
  return withThem === without ? undefined : withThem > without;
}

function detectEol(text: string): Style["eol"] | undefined {
  const all = text.split("\n").length - 1;
  if (all === 0) return undefined;
  const windows = text.split("\r\n").length - 1;
  return windows * 2 > all ? "\r\n" : "\n";
}
