import { test } from "uvu";
import * as assert from "uvu/assert";
import { checkNodeVersion } from "./node-version.ts";

const VERSIONS: readonly [version: string, code: string | undefined, says: RegExp][] = [
  ["18.20.8", "FW825", /20\.19\.0 or newer/],
  ["20.18.3", "FW825", /20\.19\.0 or newer/],
  ["20.19.0", "FW826", /Install 20\.20\.2/],
  ["20.20.1", "FW826", /Install 20\.20\.2/],
  ["20.20.2", undefined, /^$/],
  ["20.21.0", undefined, /^$/],
  ["21.7.3", "FW826", /Install 22\.22\.2/],
  ["22.22.1", "FW826", /Install 22\.22\.2/],
  ["22.22.2", undefined, /^$/],
  ["23.11.1", "FW826", /Install 24\.14\.1/],
  ["24.9.0", "FW826", /Install 24\.14\.1/],
  ["24.21.0", undefined, /^$/],
  ["25.8.1", "FW826", /Install 25\.8\.2/],
  ["26.0.0", undefined, /^$/],
  ["27.0.0-nightly20261101abcdef", undefined, /^$/],
];

for (const [version, code, says] of VERSIONS) {
  test(`Node.js ${version} is ${code === undefined ? "as it should be" : `told by ${code}`}`, () => {
    const [diagnostic] = checkNodeVersion(version);
    assert.is(diagnostic?.code, code);
    assert.match(diagnostic === undefined ? "" : `${diagnostic.message} ${diagnostic.hint}`, says);
  });
}

test.run();
