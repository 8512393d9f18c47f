/** The version of the vendored framework, from its own package.json: the one place it is written. */

import { readFileSync } from "node:fs";
import { frameworkUrl } from "#toolchain/framework-folder";

export function frameworkVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(frameworkUrl("package.json"), "utf8"));
  const version =
    typeof manifest === "object" && manifest !== null && "version" in manifest ? manifest.version : undefined;
  return String(version);
}
