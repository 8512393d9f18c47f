/**
 * Loaded before the bundle by create.test.ts: counts the file-changing calls, and at the one that FAULT_AT names fails with the
 * code in FAULT (ENOSPC …) or sends the process that signal. FAULT=count only tells how many there are.
 */

const fs = require("node:fs");

const { FAULT = "count", FAULT_AT } = process.env;
let calls = 0;
let isOver = false;

for (const name of ["mkdirSync", "writeFileSync", "copyFileSync", "chmodSync", "renameSync", "rmdirSync"]) {
  const original = fs[name];
  fs[name] = (...words) => {
    if (!isOver && ++calls === Number(FAULT_AT)) strike(name, words[0]);
    return original(...words);
  };
}

/** Once only, so that clearing up is not hindered. */
function strike(name, path) {
  isOver = true;
  if (FAULT.startsWith("SIG")) process.kill(process.pid, FAULT);
  else throw Object.assign(new Error(`${FAULT}: ${name} ${path}`), { code: FAULT });
}

if (FAULT === "count") process.on("exit", () => process.stderr.write(`changes: ${calls}\n`));
