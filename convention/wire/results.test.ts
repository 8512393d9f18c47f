/** The shapes of results beside those of requests: their definitions and locations. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { createFiles } from "../source/files.ts";
import { createModules } from "../source/modules.ts";
import { placeOf } from "./places.ts";
import { formatShape } from "./reading.fixture.ts";
import { createShapeReader, type ShapeReader } from "./shapes.ts";

const FILE = "types.ts";

/** @param requests the names of aliases in the text, like `results`. */
function read(text: string, requests: readonly string[], results: readonly string[]): ShapeReader {
  const modules = createModules(createFiles("/nowhere", new Map([[FILE, text]])));
  const module = modules.get(FILE);
  if (module === undefined) throw new Error(`There is no ${FILE}.`);
  const reader = createShapeReader(modules);
  const typeOf = (name: string): Parameters<ShapeReader["read"]>[0] => {
    const type = module.types.get(name)?.type;
    if (!type) throw new Error(`There is no ${name}.`);
    return { type, scope: { module, parameters: new Map() } };
  };
  for (const name of requests) reader.read(typeOf(name));
  for (const name of results) reader.readResult(reader.part(typeOf(name)));
  return reader;
}

function format(definitions: ShapeReader["definitions"]): string {
  return Object.entries(definitions)
    .map(([name, shape]) => `${name} = ${formatShape(shape)}`)
    .join("; ");
}

test("a type that a body and a result have is one definition", () => {
  const text =
    "interface User { name: string; friends: User[] }\ntype In = User[];\ntype Out = { user: User };";
  const { definitions, allDefinitions } = read(text, ["In"], ["Out"]);
  assert.is(format(allDefinitions), "User = { name: string, friends: #User[] }");
  assert.equal(allDefinitions, definitions);
});

test("a type that a form has with a file is another one in JSON", () => {
  const text =
    "interface Photo { image: File }\ninterface Album { photos: Photo[] }\ntype In = Album;\ntype Out = { album: Album };";
  const { allDefinitions } = read(text, ["In"], ["Out"]);
  assert.is(
    format(allDefinitions),
    "Album = { photos: #Photo[] }; Photo = { image: file }; Album2 = { photos: #Photo2[] }; Photo2 = { image: {  } }",
  );
});

test("what only results have is not among the definitions of requests", () => {
  const text = "interface User { name: string; greet(): void }\ntype Out = User[];";
  const { definitions, allDefinitions } = read(text, [], ["Out"]);
  assert.equal(Object.keys(definitions), []);
  assert.is(format(allDefinitions), "User = { name: string }");
});

test("a type that no request can carry is refused for a body, although a result has it", () => {
  const text = "interface User { name: string; greet(): void }\ntype In = User;\ntype Out = User[];";
  const { definitions, allDefinitions } = read(text, ["In"], ["Out"]);
  assert.equal(Object.keys(definitions), []);
  assert.is(format(allDefinitions), "User = { name: string }");
});

test("an intersection of two types that are one to TypeScript is refused for a body, although a result has it", () => {
  const head = 'import type { int, Min } from "framework";\ntype Positive = number & Min<1>;';
  const text = `${head}\ninterface Item { b: int & Positive }\ntype In = Item;\ntype Out = Item[];`;
  const { definitions, allDefinitions } = read(text, ["In"], ["Out"]);
  assert.equal(Object.keys(definitions), []);
  assert.is(format(allDefinitions), "Item = { b: int{min: 1} }");
});

test("a property has the place of its type", () => {
  const text =
    "interface User {\n  name: string;\n  at:\n    Date;\n}\ntype In = User;\ntype Out = { user: User };";
  for (const requests of [["In"], []]) {
    const { User } = read(text, requests, ["Out"]).allDefinitions;
    const places = User?.kind === "object" ? User.properties.map(placeOf) : [];
    assert.equal(
      places.map((place) => `${place?.file}:${place?.line}:${place?.column}`),
      ["types.ts:2:9", "types.ts:4:5"],
    );
  }
});

test("a definition has the place of its name", () => {
  const text = "\ninterface User { name: string }\ntype In = User;";
  for (const declared of [text, text.replace("interface User {", "     type User = {")]) {
    const { User } = read(declared, ["In"], []).allDefinitions;
    assert.equal(User && placeOf(User), { file: FILE, line: 2, column: 11 });
  }
});

test.run();
