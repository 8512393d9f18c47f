/** The JSON Schemas of values that check by themselves: their files run for it, in a process of their own. */

import { fork } from "node:child_process";
import type { Contract } from "#convention/contract/contract";
import { diagnose, startOf } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { innerShapesOf } from "#convention/wire/inner-shapes";
import type { JsonSchema } from "#convention/wire/json-schema";
import type { Location } from "#runtime/routing/route";
import type { SchemaShape, Shape } from "#runtime/wire/shape";
import { frameworkPath } from "../../framework-folder.ts";
import type { Answered, Asked } from "./messages.ts";

/** What hangs while it loads is given up. */
const LIMIT_MS = 30_000;

export interface Schemas {
  /** undefined for one that gives none. */
  find(shape: SchemaShape): JsonSchema | undefined;
  /** Infos: those that give none, and why. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A schema, and who takes it or gives it. */
export interface PlacedSchema {
  readonly shape: SchemaShape;
  readonly location: Location;
}

/** Each once, in the order of the operations. */
export function schemasOf({ operations, definitions }: Contract): readonly PlacedSchema[] {
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

/** @returns what says that their files did not run. */
export function noteSchemas(placed: readonly PlacedSchema[]): readonly Diagnostic[] {
  return placed.map(({ shape: { file, exported }, location }) =>
    diagnose("FW931", { name: exported, file }, location),
  );
}

/** Runs the files of the project that export them. */
export async function loadSchemas(root: string, placed: readonly PlacedSchema[]): Promise<Schemas> {
  const shapes = placed.map(({ shape }) => shape);
  const answers = placed.length === 0 ? [] : await ask({ root, shapes });
  const found = new Map<string, JsonSchema>();
  const diagnostics = placed.flatMap(({ shape, location }, at) => {
    const answer = answers[at] ?? { why: "its process ended" };
    if ("schema" in answer) found.set(keyOf(shape), answer.schema);
    if ("schema" in answer) return [];
    const { file, exported } = shape;
    return [diagnose("FW932", { name: exported, file, why: answer.why }, location)];
  });
  return { find: (shape) => found.get(keyOf(shape)), diagnostics };
}

function keyOf({ file, exported }: SchemaShape): string {
  return `${file}#${exported}`;
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
