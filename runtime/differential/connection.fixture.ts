/** Random connections: requests one behind the other, and where their bytes are cut into packets. */

import { createRandom, pick, type Random } from "../random.fixture.ts";
import { makeRequest, type Sent } from "./requests.fixture.ts";

export interface Connection {
  readonly requests: readonly Sent[];
  /** Where a new packet begins; in order, without doubles. */
  readonly cuts: readonly number[];
  /** The client ends its side behind the last byte. */
  readonly halfCloses: boolean;
}

export function makeConnection(seed: number): Connection {
  const random = createRandom(seed);
  const count = pick(random, [1, 1, 2, 2, 3, 4, 6]);
  const requests = Array.from({ length: count }, () => makeRequest(random));
  const cuts = makeCuts(random, requests);
  return { requests, cuts, halfCloses: random(3) === 0 };
}

/** Longer bytes one by one take long. */
const LONGEST_SINGLE = 400;

function makeCuts(random: Random, requests: readonly Sent[]): number[] {
  const text = bytesOf(requests);
  const kind = random(8);
  const among = (count: number) => Array.from({ length: count }, () => random(text.length));
  if (kind < 2) return [];
  if (kind === 2 && text.length <= LONGEST_SINGLE) return everyByte(text);
  // Around what a parser has to look at twice.
  if (kind === 3) return inOrder(placesOf(text).filter(() => random(3) > 0));
  if (kind === 4) return inOrder(requests.map((_, index) => bytesOf(requests.slice(0, index)).length));
  return inOrder(among(1 + random(8)));
}

export function everyByte(text: string): number[] {
  return Array.from({ length: text.length }, (_, index) => index).slice(1);
}

function placesOf(text: string): number[] {
  return [...text.slice(0, 4000).matchAll(/[\r\n:;]/g)].map(({ index }) => index + 1).slice(0, 60);
}

function inOrder(places: readonly number[]): number[] {
  return [...new Set(places)].filter((place) => place > 0).sort((a, b) => a - b);
}

export function bytesOf(requests: readonly Sent[]): string {
  return requests.map(({ text }) => text).join("");
}

export function toPackets(text: string, cuts: readonly number[]): string[] {
  const ends = [...cuts.filter((cut) => cut < text.length), text.length];
  return ends.map((end, index) => text.slice(index === 0 ? 0 : ends[index - 1], end));
}
