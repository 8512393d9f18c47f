/** Packages on the disk, for pages that upgrade: of a version that is not there yet, and of the project's own. */

import { once } from "../harness/once.ts";
import { packFolder } from "../harness/package.ts";
import { createFolder } from "../harness/workspace.ts";
import { createVariant } from "../upgrade/variants.ts";

const VERSION = "1.2.3";

/** The package that made the project, as a page calls it. */
export const OWN_PACKAGE = "create-convention-app-1.0.0.tgz";

/** As a page has it on the disk, beside the project. */
export const NEWER_PACKAGE: string = `create-convention-app-${VERSION}.tgz`;

/** @returns the path of its tarball. Two files of its framework begin with another line. */
export const packNewer: () => Promise<string> = once("newer package", async () => {
  const { folder } = await createVariant(VERSION, (draft) => {
    for (const file of ["runtime/app.js", "runtime/routing.js"])
      draft.write(file, `// ${VERSION}\n${draft.read(file)}`);
  });
  return (await packFolder(folder, createFolder("newer"))).tarball;
});
