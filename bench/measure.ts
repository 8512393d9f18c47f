/** Times of a thing that was done again and again: medians, quartiles, and their table. */

export interface Measure {
  readonly name: string;
  /** One for each round, in milliseconds. */
  readonly times: readonly number[];
}

/** Does each once a round, in turn, so that what else the machine does falls on all alike. */
export async function interleave(
  rounds: number,
  subjects: readonly { readonly name: string; run(): Promise<number> }[],
): Promise<Measure[]> {
  const times = subjects.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, subject] of subjects.entries()) times[at]?.push(await subject.run());
  }
  return subjects.map(({ name }, at) => ({ name, times: times[at] ?? [] }));
}

/** @param part from 0 to 1: 0.5 is the median; between two values it lies on the line between them. */
export function quantile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * part;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

/** How much longer the one took than the other in the same round: what the machine did to both is taken out. */
export function difference(longer: Measure, shorter: Measure): Measure {
  const times = longer.times.map((time, round) => time - (shorter.times[round] ?? Number.NaN));
  return { name: `${longer.name} − ${shorter.name}`, times };
}

export const HEADER: readonly string[] = ["", "median ms", "quartiles", "ratio"];

/** @param base what the ratio is to: the median of the quotients, round by round. */
export function toRow(measure: Measure, base?: Measure): string[] {
  const ratios = base && measure.times.map((time, round) => time / (base.times[round] ?? Number.NaN));
  return [
    measure.name,
    quantile(measure.times, 0.5).toFixed(0),
    `${quantile(measure.times, 0.25).toFixed(0)} … ${quantile(measure.times, 0.75).toFixed(0)}`,
    ratios ? quantile(ratios, 0.5).toFixed(2) : "",
  ];
}

/** Markdown, so that it can be put into a page as it is. */
export function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((_, at) =>
    Math.max(3, ...[header, ...rows].map((row) => (row[at] ?? "").length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, at) => (at === 0 ? (cells[at] ?? "").padEnd(width) : (cells[at] ?? "").padStart(width))).join(" | ")} |`;
  const rule = `| ${widths.map((width, at) => (at === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  return [line(header), rule, ...rows.map(line)].join("\n");
}

/** The median with its quartiles in one cell; a dash where no value counts. NaN does not. */
export function withQuartiles(values: readonly number[], format: (value: number) => string): string {
  const counted = values.filter(Number.isFinite);
  if (counted.length === 0) return "–";
  const [low, middle, high] = [0.25, 0.5, 0.75].map((part) => format(quantile(counted, part)));
  return `${middle} (${low} … ${high})`;
}

/** What was measured of each, by the medians; the first of them may be another than ours. */
export interface Ranking {
  /** Of the row or column: `POST`, `miss at 10,000`. */
  readonly name: string;
  readonly isMoreBetter: boolean;
  readonly medians: ReadonlyMap<string, number>;
}

/** Names each ranking that is led by another, or in which nothing counted. @param ours the name of ours in them. */
export function formatNotFirst(ours: string, rankings: readonly Ranking[]): string {
  const behind = rankings.flatMap(({ name, isMoreBetter, medians }) => {
    const counted = [...medians].filter(([, value]) => Number.isFinite(value));
    const [first] = counted.sort(([, a], [, b]) => (isMoreBetter ? b - a : a - b));
    const own = medians.get(ours) ?? Number.NaN;
    if (first === undefined || !Number.isFinite(own)) return [`${name} (no figure)`];
    const [leader, best] = first;
    return leader === ours ? [] : [`${name} (${leader} ${best.toPrecision(3)}, ours ${own.toPrecision(3)})`];
  });
  return behind.length === 0 ? "nowhere" : behind.join(", ");
}
