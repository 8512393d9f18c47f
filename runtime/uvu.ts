/**
 * Starts the project's own uvu (`node --import ./vendor/framework/test.js vendor/framework/uvu.js tests`), wherever its package manager
 * has put it: in a workspace that is a folder above the project.
 */

import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

// Its program is none of its exports, and lies beside them.
require(join(dirname(require.resolve("uvu/run")), "../bin.js"));
