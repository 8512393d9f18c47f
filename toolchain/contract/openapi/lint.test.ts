/** Others find nothing wrong with the documents. `LONG=1` takes more of them, and `DOCUMENTS=<folder>` keeps them. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { runs, SEED } from "#runtime/random.fixture";
import { toOpenApi } from "./document.ts";
import { formatJsonDocument, formatYaml } from "./format.ts";
import { lint } from "./lint.fixture.ts";
import { createRandomContract } from "./random-contract.fixture.ts";

const { DOCUMENTS } = process.env;
const COUNT = runs(2, 200);

test(`redocly's strict rules and the schema of OpenAPI find nothing in ${COUNT} random documents`, async () => {
  let operations = 0;
  for (let seed = SEED; seed < SEED + COUNT; seed++) {
    const contract = createRandomContract(seed);
    operations += contract.operations.length;
    const document = toOpenApi(contract);
    const text = formatJsonDocument(document);
    if (DOCUMENTS !== undefined) writeFileSync(join(DOCUMENTS, `${seed}.json`), text);
    assert.equal(await lint(text), [], `SEED=${seed}`);
    assert.is(formatJsonDocument(toOpenApi(createRandomContract(seed))), text);
    assert.equal(parse(formatYaml(document)), JSON.parse(text));
  }
  assert.ok(operations > COUNT, `only ${operations} operations`);
});

test.run();
