/** Packs the package and creates a project, for all test files of one run. */

import { packFolder, packOnce } from "./package.ts";
import { writePrepared } from "./prepared.ts";
import { createProject } from "./project.ts";
import { REPOSITORY } from "./workspace.ts";

const folder = process.env.E2E_PREPARED ?? "";
// It builds first if it has to.
await packOnce();
const packed = await packFolder(REPOSITORY, folder);
const created = await createProject(folder);
writePrepared("package", packed);
writePrepared("project", created);
