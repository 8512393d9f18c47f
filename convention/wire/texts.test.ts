import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Definitions, Shape } from "#runtime/wire/shape";
import { hasFile } from "./texts.ts";

function reference(name: string): Shape {
  return { kind: "reference", name };
}

function object(...shapes: Shape[]): Shape {
  return {
    kind: "object",
    properties: shapes.map((shape, index) => ({ name: `${index}`, shape, optional: false })),
  };
}

test("a file is found in types that refer to each other", () => {
  const definitions: Definitions = {
    A: object(reference("B")),
    B: object(reference("A"), { kind: "array", items: { kind: "file" } }),
    C: object(reference("C"), { kind: "string" }),
  };
  const found = ["C", "A", "B", "C", "A"].map((name) => hasFile(reference(name), definitions));
  assert.equal(found, [false, true, true, false, true]);
});

test("a type without files is looked through once, however many handlers take it", () => {
  const names = Array.from({ length: 50 }, (_, index) => `T${index}`);
  const types = names.map((name, index) => [name, object(reference(`T${(index + 1) % 50}`))] as const);
  let reads = 0;
  const definitions = new Proxy<Definitions>(Object.fromEntries(types), {
    get(all, name) {
      reads += 1;
      return all[String(name)];
    },
  });
  for (const name of names) assert.not(hasFile(reference(name), definitions));
  assert.ok(reads <= 100, `${reads} reads`);
});

test.run();
