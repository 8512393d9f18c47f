/** The files of `template/_resource`, by path. A build writes their texts into the tools. */

import { readFileSync } from "node:fs";

const FILES = [
  "apps/things/views.ts",
  "database/migrations/create_things.ts",
  "database/migrations/empty.ts",
  "tests/things.test.ts",
] as const;

export const TEMPLATES: Readonly<Record<(typeof FILES)[number], string>> = Object.fromEntries(
  FILES.map((file) => [
    file,
    readFileSync(new URL(`../../template/_resource/${file}`, import.meta.url), "utf8"),
  ]),
) as Record<(typeof FILES)[number], string>;
