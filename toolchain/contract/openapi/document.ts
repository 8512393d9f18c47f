/** A contract as an OpenAPI document. The same contract gives the same document, with its keys in the same order. */

import type { About, Contract, Operation } from "#convention/contract/contract";
import { defined } from "#convention/wire/json-schema";
import { METHODS } from "#runtime/routing/route";
import type { Shape } from "#runtime/wire/shape";
import { createComponents, type SchemasOf } from "./components.ts";
import { type JsonObject, orNothing } from "./json.ts";
import { isError, toOperation } from "./operation.ts";
import { type Path, toPaths } from "./paths.ts";
import { toSecurity } from "./security.ts";
import type { Surroundings } from "./surroundings.ts";

const OPENAPI = "3.1.1";

/** @param schemas gives the JSON Schema of a value that checks by itself; without it any JSON fits. */
export function toOpenApi(contract: Contract, schemas?: SchemasOf): JsonObject {
  const { about, operations } = contract;
  const surroundings = surround(contract, schemas);
  const items = toPaths(operations).map((path) => [path.template, toPathItem(path, surroundings)] as const);
  const { components, security } = surroundings;
  return defined({
    openapi: OPENAPI,
    info: toInfo(about),
    servers: toServers(about),
    // Of operations that say nothing else: none.
    security: [],
    tags: orNothing(tagsOf(operations)),
    paths: Object.fromEntries(items),
    components: orNothing(
      defined({ schemas: orNothing(components.schemas()), securitySchemes: orNothing(security.schemes) }),
    ),
  });
}

function surround(contract: Contract, schemas: SchemasOf | undefined): Surroundings {
  const { definitions, refused, operations } = contract;
  const errors = operations.flatMap(({ answers }) =>
    answers.filter(isError).flatMap(({ bodies }) => bodies.flatMap(({ shape }) => membersIn(shape))),
  );
  return {
    components: createComponents(contract, errors, schemas),
    security: toSecurity(contract),
    refused,
    definitions,
  };
}

function membersIn(shape: Shape): readonly Shape[] {
  return shape.kind === "union" ? shape.of : [shape];
}

function toInfo({ title, version, description, license }: About): JsonObject {
  return defined({ title, version, description, license: license && toLicense(license) });
}

/** `identifier` has to be an SPDX expression. For what npm allows besides, such as `UNLICENSED`, SPDX has names with `LicenseRef-`. */
function toLicense(license: string): JsonObject {
  const isOwn = license === "UNLICENSED" || /[^\w.+() -]/.test(license) || license.startsWith("SEE LICENSE");
  return {
    name: license,
    identifier: isOwn ? `LicenseRef-${license.replace(/[^A-Za-z0-9.-]+/g, "-")}` : license,
  };
}

/** A path begins with a slash, so a server does not end with one. */
function toServers({ servers }: About): readonly JsonObject[] {
  const urls = servers.length === 0 ? ["/"] : servers;
  return urls.map((url) => ({ url: url === "/" ? url : url.replace(/\/$/, "") }));
}

function tagsOf(operations: readonly Operation[]): readonly JsonObject[] {
  const tags = new Set(operations.flatMap(({ tag }) => (tag === undefined ? [] : [tag])));
  return Array.from(tags, (name) => ({ name, description: `The routes of ${name}.` }));
}

function toPathItem({ template, params, operations }: Path, surroundings: Surroundings): JsonObject {
  const items = METHODS.flatMap((method) => {
    const operation = operations.get(method);
    if (operation === undefined) return [];
    return [[method.toLowerCase(), toOperation(operation, { template, params }, surroundings)] as const];
  });
  return Object.fromEntries(items);
}
