/**
 * The changelog's part in a release. `npm version` calls `ready`, before it changes anything: there must be something to
 * release; and then `date`, which gives that the new version and today's date. The release workflow calls `check` with
 * the tag: package and changelog have to say the same.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const UNRELEASED = "## [Unreleased]\n";

const root = join(import.meta.dirname, "..");
const changelog = join(root, "CHANGELOG.md");

const [task, tag] = process.argv.slice(2);
const text = readFileSync(changelog, "utf8");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

if (task === "ready") splitUnreleased(text);
else if (task === "date") writeFileSync(changelog, dateEntry(text, version, new Date()));
else if (task === "check" && tag !== undefined) checkRelease(text, version, tag);
else throw new Error("Wanted: ready, date, or check with a tag.");

/** @returns what stands before the unreleased entry, and what stands after its heading. */
function splitUnreleased(log: string): readonly [before: string, after: string] {
  const [before = "", after = ""] = log.split(UNRELEASED);
  const news = after.split("\n## [")[0]?.trim();
  if (!news) throw new Error("CHANGELOG.md has nothing under [Unreleased]: say there what is new.");
  return [before, after];
}

/** The day is that of UTC, so that it does not depend on where the release is made. */
function dateEntry(log: string, released: string, now: Date): string {
  const [before, after] = splitUnreleased(log);
  return `${before}${UNRELEASED}\n## [${released}] - ${now.toISOString().slice(0, 10)}\n${after}`;
}

function checkRelease(log: string, packaged: string, released: string): void {
  const entry = newestEntry(log);
  if (released !== `v${packaged}`)
    throw new Error(`The tag is ${released}, and package.json says ${packaged}.`);
  if (entry !== packaged) {
    throw new Error(
      `package.json says ${packaged}, and the newest entry of CHANGELOG.md is ${entry ?? "none"}.`,
    );
  }
}

function newestEntry(log: string): string | undefined {
  return /^## \[(\d[^\]]*)\] - \d{4}-\d{2}-\d{2}$/m.exec(log)?.[1];
}
