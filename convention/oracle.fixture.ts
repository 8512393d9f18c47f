/** For tests: whether what the compiler takes as a type and what a project's wire module takes is the same. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import type { RouteInputs, WireModule } from "#runtime/wire/inputs";
import type { RequestReader } from "#runtime/wire/request-reader";
import type { Diagnostic } from "./diagnostics/diagnostic.ts";
import { type ProjectFiles, writeFiles } from "./folder.fixture.ts";
import { readProject } from "./project.ts";
import { writeWireModule } from "./wire/code/module.ts";
import { createRandomType, type RandomType } from "./wire/random-types.fixture.ts";
import { askTypeScript, type Question, writeTypes } from "./wire/tsc.fixture.ts";

export interface Comparison {
  readonly pairs: number;
  /** Pairs that both take. */
  readonly taken: number;
  /** The types that are not read, with the diagnostic of each. */
  readonly unread: readonly { readonly module: string; readonly diagnostic: Diagnostic | undefined }[];
  /** Each with the type, the value and who says what. */
  readonly disagreements: readonly string[];
}

/** Kept as a file, so that what is wrong in it can be looked at. */
const WIRE_FILE = "wire.mjs";
const RUNTIME = import.meta.resolve("#runtime/wire/imports");

/**
 * @param folder an empty one.
 * @param seed of the first type; each type has the next.
 * @param count how many types, and how many values for each.
 */
export async function compareWithTypeScript(
  folder: string,
  seed: number,
  count: { readonly types: number; readonly values: number },
): Promise<Comparison> {
  const types = Array.from({ length: count.types }, (_, at) => createRandomType(seed + at, count.values));
  writeTypes(
    folder,
    types.map(({ module }) => module),
  );
  writeFiles(folder, { "framework.toml": "apps = []\n", ...routeFiles(types) });
  const { routeInputs, diagnostics } = await readTakers(folder);
  const unread = types.flatMap(({ module }, at) => {
    if (routeInputs[`POST /t${at}`] !== undefined) return [];
    const places = [`routes/t${at}.ts`, `types/t${at}.ts`];
    const diagnostic = diagnostics.find(({ locations }) =>
      locations.some(({ file }) => places.includes(file)),
    );
    return [{ module, diagnostic }];
  });
  const pairs = types.flatMap(({ values }, module) => {
    const inputs = routeInputs[`POST /t${module}`];
    return inputs === undefined ? [] : values.map((value) => toPair(module, value, inputs));
  });
  const disagreements = judge(folder, pairs).map(
    ({ module, value, says }) => `${types[module]?.module}${JSON.stringify(value)}\n${says}\n`,
  );
  return {
    pairs: pairs.length,
    taken: pairs.filter(({ ours }) => ours !== undefined).length,
    unread,
    disagreements,
  };
}

function routeFiles(types: readonly RandomType[]): ProjectFiles {
  const entries = types.map((_, at) => [
    `routes/t${at}.ts`,
    `import type { Body } from "framework";\nimport type { T } from "../types/t${at}.ts";\n\nexport function post(body: Body<T>) {\n  return body;\n}\n`,
  ]);
  return Object.fromEntries(entries);
}

async function readTakers(
  folder: string,
): Promise<Pick<WireModule, "routeInputs"> & { readonly diagnostics: readonly Diagnostic[] }> {
  const { routes, definitions, diagnostics } = readProject(folder);
  const toSpecifier = (file: string): string => pathToFileURL(file).href;
  const text = writeWireModule({ routes, definitions }, { runtime: RUNTIME, toSpecifier });
  writeFiles(folder, { [WIRE_FILE]: text ?? "export const routeInputs = {};" });
  const { routeInputs }: WireModule = await import(pathToFileURL(join(folder, WIRE_FILE)).href);
  return { routeInputs, diagnostics };
}

interface Pair {
  readonly module: number;
  readonly value: unknown;
  /** What the handler is given, in a list; undefined where the value is refused. */
  readonly ours: readonly unknown[] | undefined;
}

function toPair(module: number, value: unknown, inputs: RouteInputs): Pair {
  // Nothing but the body is asked for.
  const ours = inputs.read({ body: structuredClone(value) } as RequestReader);
  if (ours instanceof Promise) throw new TypeError("A body without a Standard Schema is read at once.");
  return { module, value, ours };
}

/**
 * What we refuse, the compiler has to refuse even where excess keys may be. Of what we take, it has to take what we give the handler, and
 * where it finds no excess key, that has to be all of the value.
 */
function judge(folder: string, pairs: readonly Pair[]): { module: number; value: unknown; says: string }[] {
  const questions = pairs.flatMap(({ module, value, ours }): Question[] =>
    ours === undefined
      ? [{ module, value, withExcess: true }]
      : [ours[0], value].map((asked) => ({ module, value: asked, withExcess: false })),
  );
  const answers = askTypeScript(folder, questions).values();
  const next = (): boolean => answers.next().value === true;
  return pairs.flatMap(({ module, value, ours }) => {
    const says = ours === undefined ? sayOfRefused(next()) : sayOfTaken(value, ours[0], next(), next());
    return says === undefined ? [] : [{ module, value, says }];
  });
}

function sayOfRefused(fits: boolean): string | undefined {
  return fits ? "tsc takes it, and we refuse it" : undefined;
}

function sayOfTaken(
  value: unknown,
  given: unknown,
  givenFits: boolean,
  valueFits: boolean,
): string | undefined {
  if (!isPart(given, value)) return `the handler is given what was not sent: ${JSON.stringify(given)}`;
  if (!givenFits) return `tsc refuses what the handler is given: ${JSON.stringify(given)}`;
  if (valueFits && !isDeepStrictEqual(toPlain(given), value))
    return `the handler is given only ${JSON.stringify(given)}`;
  return undefined;
}

function toPlain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** @returns whether the one is the other without some keys of its objects. */
function isPart(part: unknown, whole: unknown): boolean {
  if (typeof part !== "object" || part === null || typeof whole !== "object" || whole === null)
    return part === whole;
  if (Array.isArray(part) !== Array.isArray(whole)) return false;
  if (Array.isArray(part) && part.length !== (whole as unknown[]).length) return false;
  return Object.entries(part).every(
    ([key, value]) => Object.hasOwn(whole, key) && isPart(value, (whole as Record<string, unknown>)[key]),
  );
}
