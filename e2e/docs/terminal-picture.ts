/** Draws what a terminal shows, with its colours, as an SVG: sharp at each size, and text that can be searched and compared. */

interface Style {
  readonly color: string;
  readonly isBold: boolean;
  readonly isDim: boolean;
}

/** Text of one style, and the column where it begins. */
interface Run {
  readonly text: string;
  readonly column: number;
  readonly style: Style;
}

const PLAIN: Style = { color: "#e6edf3", isBold: false, isDim: false };

/** What a code of ECMA-48, 8.3.117 (SGR), changes. */
const STYLES: Readonly<Record<string, Partial<Style>>> = {
  "0": PLAIN,
  "1": { isBold: true },
  "2": { isDim: true },
  "22": { isBold: false, isDim: false },
  "31": { color: "#ff7b72" },
  "32": { color: "#7ee787" },
  "33": { color: "#e3b341" },
  "34": { color: "#79c0ff" },
  "35": { color: "#d2a8ff" },
  "36": { color: "#76e3ea" },
  "39": { color: PLAIN.color },
};

const FONT =
  "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace";
const FONT_SIZE = 14;
const COLUMN = 8.4;
const ROW = 20;
const MARGIN = 20;
/** At least, so that the text of several pictures on a page has one size. */
const COLUMNS = 102;

/** What one gap at most is between: renderers make one space of several. */
const WORDS = /\S+(?: \S+)*/g;

/**
 * @param line what is typed
 * @param printed with escape sequences, of which only those that set colour and weight are known
 */
export function drawTerminal(line: string, printed: string): string {
  const rows = [`\u001b[2m$\u001b[22m ${line}`, ...printed.trimEnd().split("\n")];
  const runs = readRuns(rows);
  const columns = Math.max(COLUMNS, ...runs.flat().map(({ column, text }) => column + text.length));
  const width = Math.ceil(columns * COLUMN + 2 * MARGIN);
  const height = rows.length * ROW + 2 * MARGIN;
  const lines = runs.flatMap((row, index) => (row.length === 0 ? [] : [drawRow(row, index)]));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${escapeMarkup(line)}</title>
<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>
<g font-family="${FONT}" font-size="${FONT_SIZE}" fill="${PLAIN.color}">
${lines.join("\n")}
</g>
</svg>
`;
}

/** A style goes on from row to row until it is changed. */
function readRuns(rows: readonly string[]): Run[][] {
  let style = PLAIN;
  return rows.map((row) => {
    const runs: Run[] = [];
    let column = 0;
    for (const [part] of row.matchAll(/\u001b\[[\d;]*[A-Za-z]|[^\u001b]+/g)) {
      if (part.startsWith("\u001b")) style = changeStyle(style, part);
      else {
        for (const { 0: text, index } of part.matchAll(WORDS))
          runs.push({ text, column: column + index, style });
        column += part.length;
      }
    }
    return runs;
  });
}

function changeStyle(style: Style, sequence: string): Style {
  const codes = /^\u001b\[([\d;]*)m$/.exec(sequence)?.[1]?.split(";") ?? [sequence];
  const changes = codes.map((code) => STYLES[code === "" ? "0" : code]);
  if (changes.includes(undefined))
    throw new Error(`The picture can't show ${JSON.stringify(sequence)}: add it to STYLES.`);
  return Object.assign({}, style, ...changes);
}

function drawRow(runs: readonly Run[], index: number): string {
  const y = MARGIN + index * ROW + FONT_SIZE;
  return `<text y="${y}">${runs.map(drawRun).join("")}</text>`;
}

/** Its place and length are given, so that columns stay columns in whatever font there is. */
function drawRun({ text, column, style }: Run): string {
  const attributes = [
    `x="${round(MARGIN + column * COLUMN)}"`,
    `textLength="${round(text.length * COLUMN)}"`,
    style.color === PLAIN.color ? "" : `fill="${style.color}"`,
    style.isBold ? 'font-weight="bold"' : "",
    style.isDim ? 'fill-opacity="0.65"' : "",
  ];
  return `<tspan ${attributes.filter((attribute) => attribute !== "").join(" ")}>${escapeMarkup(text)}</tspan>`;
}

function round(length: number): string {
  return String(Math.round(length * 10) / 10);
}

function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
