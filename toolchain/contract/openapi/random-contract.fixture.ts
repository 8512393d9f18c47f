/** For tests: random contracts, of types of every kind in every place. */

import type { Answer, AnswerBody, Contract, Operation } from "#convention/contract/contract";
import { readContract } from "#convention/contract/read";
import { readSources } from "#convention/project";
import { createFiles } from "#convention/source/files";
import { createRandomType } from "#convention/wire/random-types.fixture";
import { createRandom, pick, type Random } from "#runtime/random.fixture";
import type { Shape } from "#runtime/wire/shape";

const HANDLERS = 12;

/** Its inputs are read from sources; its answers are made of the same types. */
export function createRandomContract(seed: number): Contract {
  const random = createRandom(seed);
  const { contract } = readText(createRandomSources(random, seed));
  const shapes = contract.operations.flatMap(({ inputs }) => inputs.map(({ shape }) => shape));
  const operations = contract.operations.map((one) => decorate(one, shapes, random));
  const about = { title: "Random", version: "1.0.0", license: "MIT", servers: [] };
  return { ...contract, about, operations };
}

/** @param sources the texts of a project's files. */
export function readText(sources: ReadonlyMap<string, string>): { contract: Contract } {
  return { contract: readContract(readSources("/nowhere", createFiles("/nowhere", sources))) };
}

function createRandomSources(random: Random, seed: number): Map<string, string> {
  const sources = new Map([
    ["framework.toml", 'apps = ["shop"]\n'],
    ["apps/shop/app.toml", '[app]\nprefix = "/shop"\n'],
  ]);
  const handlers = Array.from({ length: HANDLERS }, (_, at) => {
    sources.set(`types/t${at}.ts`, createRandomType(seed * 1000 + at, 0).module);
    return writeHandler(random, at);
  });
  const imports = handlers.map((_, at) => `import type { T as T${at} } from "../../types/t${at}.ts";\n`);
  const names =
    "ApiKey, Basic, Bearer, Body, Cookie, Credential, Email, File, Form, Header, Max, Min, MinLength, Query, int, str";
  sources.set(
    "apps/shop/views.ts",
    `import type { ${names} } from "framework";\n${imports.join("")}${handlers.join("")}`,
  );
  return sources;
}

/** The first word keeps the paths apart, also where they have params. */
function writeHandler(random: Random, at: number): string {
  const method = pick(random, ["get", "post", "put", "patch", "delete"]);
  const parameters = [
    ...some(random, ["id: int", "slug: string", "größe: str"]),
    ...some(random, QUERIES),
    ...some(random, ['agent: Header<string> = "x"', "accept?: Header<string>", "theme: Cookie<string>"]),
    ...some(random, [
      "token: Bearer",
      "user?: Basic",
      'own?: Credential<"Token">',
      'key?: ApiKey<"x-key">',
      'second: ApiKey<"x.key!">',
      'session?: ApiKey<"s", "cookie">',
      'inQuery?: ApiKey<"k", "query">',
    ]),
    ...(method === "get" ? [] : [pick(random, [`body: Body<T${at}>`, `body?: Body<T${at}[]>`, ...FORMS])]),
  ];
  return `export function ${method}_r${at}(${parameters.sort(byPresence).join(", ")}) {}\n`;
}

const QUERIES: readonly string[] = [
  "page: Query<int & Min<1>> = 1",
  "tag: Query<string[]> = []",
  'sort: Query<"asc" | "desc"> = "asc"',
  "since?: Query<Date>",
  "rest: Query<Record<string, string>>",
  "filter: Query<{ q: string & MinLength<1>; limit?: int & Max<100>; [key: string]: string | number }>",
];

const FORMS: readonly string[] = [
  "form: Form<{ name: string; age?: int; tags: string[] }>",
  "form: Form<{ title: string & Email; photo: File; more?: File[] }>",
];

/** TypeScript wants what may be left out behind the rest. */
function byPresence(one: string, other: string): number {
  return Number(isOptional(one)) - Number(isOptional(other));
}

function isOptional(parameter: string): boolean {
  return /^\w+\?:/.test(parameter);
}

function some(random: Random, list: readonly string[]): string[] {
  return list.filter(() => random(4) === 0);
}

const STATUSES = [200, 201, 204, 207, 302, 400, 404, 409, 422, 503, "default"] as const;
const MEDIA = ["application/json", "text/plain", "text/event-stream", "application/octet-stream", "*/*"];

function decorate(operation: Operation, shapes: readonly Shape[], random: Random): Operation {
  const others = STATUSES.filter(() => random(4) === 0);
  const statuses = [...new Set([200, ...others])] as const;
  const prose = random(2) === 0 ? {} : { summary: "One: line #1", description: "Two\n\n  lines: `{x}`" };
  const answers = statuses.map((status): Answer => {
    const bodies = status === 204 ? [] : [toBody(shapes, random)];
    return { status, bodies, headers: some(random, ["location", "x-total"]), location: operation.location };
  });
  return { ...operation, ...prose, ...(random(5) === 0 && { deprecated: true as const }), answers };
}

function toBody(shapes: readonly Shape[], random: Random): AnswerBody {
  const shape = shapes.length === 0 ? ({ kind: "unknown" } as const) : pick(random, shapes);
  return { media: pick(random, MEDIA), shape };
}

/** @returns what a document has at the end of the keys. */
export function at(document: unknown, ...keys: readonly (string | number)[]): unknown {
  return keys.reduce<unknown>(
    (value, key) => (value as Record<string | number, unknown> | undefined)?.[key],
    document,
  );
}
