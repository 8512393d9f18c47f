/** Every diagnostic by its permanent code. */

import type { Location } from "#runtime/core/routing/route";
import { BUILDING } from "./catalogue/building.ts";
import { DOCTOR } from "./catalogue/doctor.ts";
import { GENERATORS } from "./catalogue/generators.ts";
import { PROJECT } from "./catalogue/project.ts";
import { UPGRADE } from "./catalogue/upgrade.ts";
import { createFinder, type Finder } from "./entry.ts";

/** A code once given is never given to anything else. */
const CATALOGUE = { ...PROJECT, ...GENERATORS, ...BUILDING, ...UPGRADE, ...DOCTOR };

/** @example diagnose("FW203", { name: "get_all" }, { file: "apps/products/views.ts", line: 3, column: 10 }) */
export const diagnose: Finder<
  typeof PROJECT & typeof GENERATORS & typeof BUILDING & typeof UPGRADE & typeof DOCTOR
> = createFinder(CATALOGUE);

/** The place of a finding about a file as a whole. */
export function startOf(file: string): Location {
  return { file, line: 1, column: 1 };
}
