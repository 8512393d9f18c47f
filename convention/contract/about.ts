/** What the contract says about the API as a whole: `[contract]`, and what `package.json` says where that is silent. */

import { basename } from "node:path";
import { PACKAGE_FILE } from "../layout.ts";
import type { Sources } from "../project.ts";
import { isRecord } from "../source/record.ts";
import type { About } from "./contract.ts";

export function readAbout({ project, files }: Sources): About {
  const of = readPackage(files.read(PACKAGE_FILE));
  const { title, version, description = textOf(of.description), servers = [] } = project.contract ?? {};
  const license = textOf(of.license);
  return {
    title: title ?? textOf(of.name) ?? (basename(project.root) || "API"),
    version: version ?? textOf(of.version) ?? "0.0.0",
    ...(description !== undefined && { description }),
    ...(license !== undefined && { license }),
    servers,
  };
}

function readPackage(text = "{}"): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
