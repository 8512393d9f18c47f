/** What is known on the way through a page, and what is told of it. */

import type { Desk } from "./desk.ts";

export interface Walk {
  readonly desk: Desk;
  /** Files that the page has written since the project was last found in order, with the line of their block. */
  readonly unchecked: Map<string, number>;
  /** Files that are wrong on purpose, with the text that they had before. */
  readonly wrong: Map<string, string | undefined>;
}

/** A block that is not as the page says. */
export interface Fault {
  /** In the page. */
  readonly line: number;
  readonly what: string;
  /** What the page should show below that line, in place of as many lines. */
  readonly renewal?: Renewal;
}

export interface Renewal {
  readonly length: number;
  readonly lines: readonly string[];
}
