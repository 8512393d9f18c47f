/** Takes the lock of the project in argv[2] and releases it, argv[3] times. */

import { takeLock } from "./lock.ts";

const [root = "", times = ""] = process.argv.slice(2);
for (let turn = 0; turn < Number(times); turn++) {
  const lock = await takeLock(root, () => {});
  if ("severity" in lock) throw new Error(lock.message);
  lock.release();
}
