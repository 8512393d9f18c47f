import { test } from "uvu";
import * as assert from "uvu/assert";
import { createFiles } from "#runtime/convention/source/files";
import type { Route } from "#runtime/core/routing/route";
import { checkReadme } from "./readme.ts";

const ROUTES: readonly Route[] = [
  toRoute("GET", "/", ["index"]),
  toRoute("GET", "/users/<id>", ["users", { name: "id", type: "int" }]),
];

function toRoute(method: Route["method"], pattern: string, segments: Route["segments"]): Route {
  const location = { file: "routes/index.ts", line: 1, column: 1 };
  return {
    method,
    pattern,
    segments,
    arguments: [],
    handler: "get",
    module: location.file,
    app: null,
    convention: "routes",
    location,
  };
}

function findIn(rows: readonly string[]): string[] {
  const text = ["# shop", "<!-- routes -->", "", ...rows, "", "<!-- end of routes -->", ""].join("\n");
  const files = createFiles("/nowhere", new Map([["README.md", text]]));
  return checkReadme(files, ROUTES).map(({ message }) => message.replace(/^.*: /, ""));
}

const HEAD = ["| Method | Pattern | Params | Handler |", "| --- | --- | --- | --- |"];

const TABLES: readonly [title: string, rows: readonly string[], found: readonly string[]][] = [
  [
    "as it is printed",
    [...HEAD, "| GET | `/` |  | `get` |", "| GET | `/users/<id>` | `id: int` | `get` |"],
    [],
  ],
  [
    "with its columns aligned by a formatter",
    [
      "| Method | Pattern       | Params    | Handler |",
      "| ------ | ------------- | --------- | ------- |",
      "| GET    | `/`           |           | `get`   |",
      "| GET    | `/users/<id>` | `id: int` | `get`   |",
    ],
    [],
  ],
  ["with a route too few", [...HEAD, "| GET | `/` |  | `get` |"], ["1 missing, 0 no longer served."]],
  [
    "with a param that has another type",
    [...HEAD, "| GET | `/` |  | `get` |", "| GET | `/users/<id>` | `id: str` | `get` |"],
    ["1 missing, 1 no longer served."],
  ],
];

for (const [title, rows, found] of TABLES) {
  test(`a table ${title}: ${found[0] ?? "nothing found"}`, () => assert.equal(findIn(rows), found));
}

test.run();
