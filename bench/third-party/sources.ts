/** Where the data of others comes from, under which licence, and at which commit: fetched for a run, never committed. */

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

interface Source {
  readonly repository: string;
  readonly commit: string;
  readonly licence: string;
}

export type SourceName =
  | "JSONTestSuite"
  | "big-list-of-naughty-strings"
  | "rust-url"
  | "h1spec-unetworking"
  | "h1spec-dropseed"
  | "toml-test"
  | "JSON-Schema-Test-Suite";

const SOURCES: Readonly<Record<SourceName, Source>> = {
  JSONTestSuite: {
    repository: "https://github.com/nst/JSONTestSuite",
    commit: "1ef36fa01286573e846ac449e8683f8833c5b26a",
    licence: "MIT",
  },
  "big-list-of-naughty-strings": {
    repository: "https://github.com/minimaxir/big-list-of-naughty-strings",
    commit: "db33ec7b1d5d9616a88c76394b7d0897bd0b97eb",
    licence: "MIT",
  },
  // Holds the data of web-platform-tests (BSD-3-Clause) in a repository that is small.
  "rust-url": {
    repository: "https://github.com/servo/rust-url",
    commit: "25137be1fc1d35cc8ea7d43fc0a02166b023a483",
    licence: "MIT or Apache-2.0",
  },
  // It names no licence: it is run where it was fetched, and nothing of it is copied.
  "h1spec-unetworking": {
    repository: "https://github.com/uNetworking/h1spec",
    commit: "f0a5650a20c575fbea0f7179a3a9cfa50f20ba6e",
    licence: "none named",
  },
  "h1spec-dropseed": {
    repository: "https://github.com/dropseed/h1spec",
    commit: "d8f69184825d3eedd649843a545c957f3fccac06",
    licence: "MIT",
  },
  "toml-test": {
    repository: "https://github.com/toml-lang/toml-test",
    commit: "d168c2a4f539a5219c804055af1600b8cf9ca6d7",
    licence: "MIT",
  },
  "JSON-Schema-Test-Suite": {
    repository: "https://github.com/json-schema-org/JSON-Schema-Test-Suite",
    commit: "44401e0c046704b476ec9d2e2fccdaee618f259d",
    licence: "MIT",
  },
};

/** @returns the folder of the source, from THIRD_PARTY_DATA or fetched into the temporary folder. */
export async function fetchSource(name: SourceName): Promise<string> {
  const folder = join(process.env.THIRD_PARTY_DATA ?? join(tmpdir(), "convention-app-third-party"), name);
  if (existsSync(folder)) return folder;
  const { repository, commit } = SOURCES[name];
  await run("git", ["clone", "--quiet", "--no-checkout", repository, folder]);
  await run("git", ["-C", folder, "checkout", "--quiet", commit]);
  return folder;
}
