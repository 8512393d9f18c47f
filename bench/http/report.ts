/** The tables of a run: how many requests, at what cost, how late and in how much memory; and where ours is not first. */

import { formatNotFirst, formatTable, quantile, type Ranking, withQuartiles } from "../measure.ts";
import type { Case } from "./cases.ts";
import type { Measurement, MemoryUse, Sample, Series } from "./samples.ts";
import { OURS, RAW, RAW_AGAIN } from "./servers.ts";

interface Metric {
  readonly title: string;
  readonly isMoreBetter: boolean;
  /** NaN where the sample does not count. */
  of(sample: Sample): number;
  format(value: number): string;
}

const THROUGHPUT: Metric = {
  title: `Requests a second: ratio to ${RAW} in the same round. More is better.`,
  isMoreBetter: true,
  of: ({ perSecond, isDisturbed }) => (isDisturbed ? Number.NaN : perSecond),
  format: (value) => (value < 10_000 ? value.toFixed(0) : `${(value / 1000).toFixed(1)}k`),
};

const PROCESSOR_TIME: Metric = {
  title: `The server's processor time for a request, µs: ratio to ${RAW} in the same round. Less is better.`,
  isMoreBetter: false,
  of: ({ cpu }) => cpu,
  format: (value) => value.toFixed(value < 100 ? 1 : 0),
};

const P99: Metric = {
  title: `Time within which all but one in a hundred answers came, ms: ratio to ${RAW} in the same round. Less is better.`,
  isMoreBetter: false,
  of: ({ p99, isDisturbed }) => (isDisturbed ? Number.NaN : p99),
  format: (value) => (value / 1000).toFixed(2),
};

export const EXPLANATION: string = `Medians, with quartiles in brackets; the row of ${RAW}, which is node:http by hand, has the figures themselves. ${RAW_AGAIN} is the same once more: how far it is from 1 is the noise.`;

export function formatReport({ series, memory, repeated }: Measurement): string {
  const all = series.flatMap(({ samples }) => samples);
  const lost = all.filter(({ isDisturbed }) => isDisturbed).length;
  const metrics = lost === all.length ? [PROCESSOR_TIME] : [THROUGHPUT, PROCESSOR_TIME, P99];
  return [
    `Of ${all.length} samples ${repeated} were taken again because something else used the machine; in ${lost} it did not come to rest, and of these only the processor time counts.`,
    ...metrics.flatMap((metric) => [metric.title, ratioTable(metric, series)]),
    ...(lost === all.length ? [] : [LATENCY_TITLE, latencyTable(series)]),
    "Memory, MB resident: before the first of these requests, when every case was warm, and the most until the end.",
    memoryTable(memory),
  ].join("\n\n");
}

/** Every case in which another is ahead of ours, with the one that is first. */
export function formatBehind(series: readonly Series[]): string {
  if (!series.some(({ server }) => server === OURS)) return `${OURS} was not measured.`;
  const requests = formatNotFirst(OURS, rankingsOf(THROUGHPUT, series));
  const time = formatNotFirst(OURS, rankingsOf(PROCESSOR_TIME, series));
  return `${OURS} is not first, by the ratios of requests a second: ${requests}; of processor time: ${time}.`;
}

function rankingsOf(metric: Metric, series: readonly Series[]): Ranking[] {
  return casesOf(series).map((asked) => {
    const ranked = series.filter((one) => one.asked === asked && one.server !== RAW_AGAIN);
    const medians = ranked.map(({ server, samples }): [string, number] => [
      server,
      median(ratios(metric, samples, rawOf(series, asked))),
    ]);
    return { name: asked.name, isMoreBetter: metric.isMoreBetter, medians: new Map(medians) };
  });
}

function ratioTable(metric: Metric, series: readonly Series[]): string {
  return tableOf(series, ({ server, asked, samples }) => {
    const isRaw = server === RAW;
    const values = isRaw ? samples.map(metric.of) : ratios(metric, samples, rawOf(series, asked));
    return withQuartiles(values, isRaw ? metric.format : (value) => value.toFixed(2));
  });
}

const LATENCY_TITLE = "Half of the answers / all but one in a hundred came within, ms.";

function latencyTable(series: readonly Series[]): string {
  const milliseconds = (values: readonly number[]): string => (median(values) / 1000).toFixed(2);
  return tableOf(series, ({ samples }) => {
    const counted = samples.filter(({ isDisturbed }) => !isDisturbed);
    if (counted.length === 0) return "–";
    return `${milliseconds(counted.map(({ p50 }) => p50))} / ${milliseconds(counted.map(({ p99 }) => p99))}`;
  });
}

function memoryTable(memory: readonly MemoryUse[]): string {
  const rows = memory.map(({ server, before, warm, peak }) => [
    server,
    ...[before, warm, peak].map((megabytes) => megabytes.toFixed(0)),
  ]);
  return formatTable(["", "before", "warm", "peak"], rows);
}

/** A row for each server, a column for each case. */
function tableOf(series: readonly Series[], cell: (one: Series) => string): string {
  const servers = [...new Set(series.map(({ server }) => server))];
  return formatTable(
    ["", ...casesOf(series).map(({ name }) => name)],
    servers.map((server) => [server, ...series.filter((one) => one.server === server).map(cell)]),
  );
}

function casesOf(series: readonly Series[]): Case[] {
  return [...new Set(series.map(({ asked }) => asked))];
}

function rawOf(series: readonly Series[], asked: Case): readonly Sample[] {
  return series.find((one) => one.asked === asked && one.server === RAW)?.samples ?? [];
}

function ratios(metric: Metric, samples: readonly Sample[], raw: readonly Sample[]): number[] {
  return samples.flatMap((sample, round) => {
    const base = raw[round];
    return base === undefined ? [] : [metric.of(sample) / metric.of(base)];
  });
}

function median(values: readonly number[]): number {
  return quantile(values.filter(Number.isFinite), 0.5);
}
