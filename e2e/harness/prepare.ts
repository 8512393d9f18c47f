/** Packs the package and creates a project, for all test files of one run. */

import { copyFileSync } from "node:fs";
import { basename, join } from "node:path";
import { packOnce } from "./package.ts";
import { writePrepared } from "./prepared.ts";
import { createProject } from "./project.ts";

const folder = process.env.E2E_PREPARED ?? "";
// It builds first if it has to.
const packed = await packOnce();
const tarball = join(folder, basename(packed.tarball));
copyFileSync(packed.tarball, tarball);
const created = await createProject(folder);
writePrepared("package", { ...packed, tarball });
writePrepared("project", created);
