/**
 * That README and docs/ are true: every code block and every terminal session is followed in a project that `npm create` made.
 * A commit follows README and another page, a long run all of them. `PAGE=docs/testing.md` takes that page alone, `UPDATE=1` takes all and
 * writes into them what is printed now.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { sample } from "../runtime/random.fixture.ts";
import { readBlocks } from "./docs/blocks.ts";
import { followPage, renewPage } from "./docs/follow-page.ts";
import { findPages, type Page } from "./docs/pages.ts";
import type { Fault } from "./docs/walk.ts";
import { findNode, type NodeName } from "./harness/nodes.ts";
import { REPOSITORY } from "./harness/workspace.ts";

const isUpdate = process.env.UPDATE === "1";
const NOT_RUN_LIMIT = 4;
/** So many pages beside README are followed for a commit. */
const FOLLOWED = 1;

const [readme, ...others] = findPages();
const pages = [readme, ...others];
const wanted = findWanted();

/** Of the pages for another Node, its program. */
const programs = new Map<NodeName, string | undefined>();
for (const name of new Set(wanted.flatMap(({ node }) => node ?? [])))
  programs.set(name, await findNode(name));
const followed = wanted.filter(({ node }) => node === undefined || programs.get(node) !== undefined);

const ways: Promise<Fault[]>[] = [];

function findWanted(): readonly Page[] {
  const { PAGE } = process.env;
  if (PAGE === undefined)
    return isUpdate ? pages : [readme, ...sample("pages of the docs", others, FOLLOWED)];
  const named = pages.filter(({ name }) => name === PAGE);
  if (named.length === 0) throw new Error(`There is no page ${PAGE}.`);
  return named;
}

for (const [index, page] of followed.entries()) {
  test(`${page.name} is true`, async () => {
    const way = begin(page, index);
    const next = followed[index + 1];
    // Two pages at a time. Its own test tells of its failure.
    if (next) begin(next, index + 1).catch(() => {});
    const faults = await way;
    const left = isUpdate ? await renew(page, faults) : faults;
    if (left.length === 0) return;
    const details = left.map(({ line, what }) => `${page.name}:${line} ${what}\n`).join("\n");
    throw Object.assign(new Error(`${left.length} of its blocks are not.`), { details });
  });
}

function begin({ read, node }: Page, index: number): Promise<Fault[]> {
  const way = ways[index] ?? read().then((text) => followPage(text, node && programs.get(node)));
  ways[index] = way;
  return way;
}

/** @returns the faults that a person has to mend. */
async function renew({ read, write }: Page, faults: readonly Fault[]): Promise<readonly Fault[]> {
  if (write === undefined) return faults;
  write(renewPage(await read(), faults));
  return faults.filter(({ renewal }) => renewal === undefined);
}

test("what no test runs is little, says why, and the tests named for the rest exist", async () => {
  const texts = await Promise.all(pages.map(({ read }) => read()));
  const reasons = texts.flatMap((text) => readBlocks(text).flatMap(({ notRun }) => notRun ?? []));
  const without = reasons.filter((reason) => !/\.test\.ts/.test(reason));
  assert.ok(without.length <= NOT_RUN_LIMIT, without.join("\n"));
  for (const reason of reasons) {
    assert.ok(reason.length > 15, reason);
    for (const [file] of reason.matchAll(/[\w/-]+\.test\.ts/g)) {
      assert.ok(existsSync(join(REPOSITORY, file)), `There is no ${file}.`);
    }
  }
});

test.run();
