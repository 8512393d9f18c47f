/** The JSON Schemas of values that check by themselves: their files run for it, in a process of their own. */

import { fork } from "node:child_process";
import type { Contract, Input, Operation } from "#convention/contract/contract";
import { mapShapes } from "#convention/contract/read";
import { diagnose, startOf } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { innerShapesOf, mapChildren } from "#convention/wire/inner-shapes";
import type { JsonSchema } from "#convention/wire/json-schema";
import { createNameGiver } from "#convention/wire/labels";
import type { Location } from "#runtime/routing/route";
import { type Definitions, resolve, type SchemaShape, type Shape } from "#runtime/wire/shape";
import { frameworkPath } from "../../framework-folder.ts";
import type { Answered, Asked } from "./answer.ts";
import { shapeOf } from "./shape-of.ts";

/** What hangs while it loads is given up. */
const LIMIT_MS = 30_000;

export interface Schemas {
  /** undefined for one that gives none. */
  find(shape: SchemaShape): NamedSchema | undefined;
  /** Infos: those that give none, and why. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface NamedSchema {
  /** As it is exported; another one for what it gives, if that is not what it takes. */
  readonly name: string;
  readonly schema: JsonSchema;
}

/** A schema, and who takes it or gives it. */
interface PlacedSchema {
  readonly shape: SchemaShape;
  readonly location: Location;
}

/** @param asks whether the files of the project run that export them. */
export async function findSchemas(root: string, contract: Contract, asks: boolean): Promise<Schemas> {
  const placed = schemasOf(contract);
  if (asks) return askAll(root, placed);
  const notes = placed.map(({ shape: { file, exported }, location }) =>
    diagnose("FW931", { name: exported, file }, location),
  );
  return { find: () => undefined, diagnostics: notes };
}

/** Each once, in the order of the operations. */
function schemasOf({ operations, definitions }: Contract): readonly PlacedSchema[] {
  const placed = [
    ...operations.flatMap(({ inputs }) =>
      inputs.flatMap(({ shape, location }) => schemasIn(shape, location)),
    ),
    ...operations.flatMap(({ answers }) =>
      answers.flatMap(({ bodies, location }) => bodies.flatMap(({ shape }) => schemasIn(shape, location))),
    ),
    ...Object.values(definitions).flatMap((shape) => schemasIn(shape)),
  ];
  return [...new Map(placed.toReversed().map((one) => [keyOf(one.shape), one])).values()].toReversed();
}

function schemasIn(shape: Shape, location?: Location): readonly PlacedSchema[] {
  if (shape.kind !== "schema") return innerShapesOf(shape).flatMap((inner) => schemasIn(inner, location));
  return [{ shape, location: location ?? startOf(shape.file) }];
}

async function askAll(root: string, placed: readonly PlacedSchema[]): Promise<Schemas> {
  const shapes = placed.map(({ shape }) => shape);
  const answers = placed.length === 0 ? [] : await ask({ root, shapes });
  const found = new Map<string, NamedSchema>();
  const diagnostics = placed.flatMap(({ shape, location }, at) => {
    const { input, output } = answers[at] ?? { input: ENDED, output: ENDED };
    const { file, exported, isOutput } = shape;
    const schema = isOutput ? output : input;
    if (typeof schema === "string")
      return [diagnose("FW932", { name: exported, file, why: schema }, location)];
    const isOther = isOutput === true && JSON.stringify(input) !== JSON.stringify(output);
    found.set(keyOf(shape), { name: isOther ? `${exported}Output` : exported, schema });
    return [];
  });
  return { find: (shape) => found.get(keyOf(shape)), diagnostics };
}

const ENDED = "its process ended";

function keyOf({ file, exported, isOutput }: SchemaShape): string {
  return `${file}#${exported}#${isOutput === true}`;
}

/** Another schema of the file may be exported by the name of what this one gives. */
export function nameKeyOf({ file, exported }: SchemaShape, { name }: NamedSchema): string {
  return `${file}#${exported}#${name}`;
}

/** @returns the contract with their shapes in the place of those schemas that have said what they take, or give. */
export function withSchemas(contract: Contract, { find }: Pick<Schemas, "find">): Contract {
  const definitions: Record<string, Shape> = { ...contract.definitions };
  const names = createNameGiver();
  for (const name of Object.keys(definitions).sort()) names.claim(name, name);
  const fill = (shape: Shape): Shape => {
    const found = shape.kind === "schema" ? find(shape) : undefined;
    if (found === undefined) return mapChildren(shape, fill);
    const name = names.claim(nameKeyOf(shape as SchemaShape, found), found.name);
    definitions[name] = shapeOf(found.schema, name);
    return { kind: "reference", name };
  };
  const operations = contract.operations.map((operation) => mapShapes(operation, fill));
  for (const [name, shape] of Object.entries(contract.definitions)) definitions[name] = fill(shape);
  return { ...contract, operations: operations.map((one) => loosen(one, definitions)), definitions };
}

/** All keys of a query together may be left out where each of them may. */
function loosen(operation: Operation, definitions: Definitions): Operation {
  const isNeeded = ({ in: place, isRest, shape, required }: Input): boolean => {
    const found = isRest && place === "query" ? resolve(shape, definitions) : undefined;
    return found?.kind === "object"
      ? required && found.properties.some(({ optional }) => !optional)
      : required;
  };
  return { ...operation, inputs: operation.inputs.map((one) => ({ ...one, required: isNeeded(one) })) };
}

/** What the files print goes to stderr: stdout has the document. */
function ask(asked: Asked): Promise<readonly Answered[]> {
  const child = fork(frameworkPath("tools/schemas.js"), {
    cwd: asked.root,
    execArgv: [],
    stdio: ["ignore", 2, 2, "ipc"],
  });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
    child.on("error", reject);
    child.on("message", (answers) => resolve(answers as readonly Answered[]));
    child.on("close", () => {
      clearTimeout(timer);
      resolve([]);
    });
    child.send(asked);
  });
}
