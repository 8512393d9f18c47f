/**
 * Preloaded into a command (`node --require`): counts its file-changing calls and strikes at the one that FAULT_AT names.
 *
 * FAULT    what happens there
 * count    nothing; at the end it tells how many there are
 * torn     the call is made, a write by half, and then the process is killed
 * full     the disk is full from then on: all that needs room fails with ENOSPC
 * gone     the disk is gone from then on: every call fails with EIO
 * SIG…     the process gets that signal before the call
 * E…       this one call fails with that code, a write after its first half
 */

const fs = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");

const { FAULT = "count", FAULT_AT } = process.env;
const { writeSync } = fs;

/** Each with the place of its data among its arguments, where it has some. */
const WRITES = { writeFile: 1, appendFile: 1, write: 1, writev: 1 };
const NEEDS_ROOM = new Set([
  ...Object.keys(WRITES),
  "open",
  "mkdir",
  "mkdtemp",
  "link",
  "symlink",
  "copyFile",
  "cp",
]);
const OTHERS = "rename rm rmdir unlink chmod fchmod chown truncate ftruncate fsync fdatasync".split(" ");
const OF_A_HANDLE = { ...WRITES, write: 0, writeFile: 0, appendFile: 0, writev: 0 };

let calls = 0;
/** Node makes some calls by others of these, which are not counted again. */
let isInside = false;

/** @returns what befalls the call; undefined where nothing does. */
function count(name, words) {
  if (isInside || (name === "open" && !isForWriting(words[1]))) return undefined;
  calls++;
  if (calls < Number(FAULT_AT)) return undefined;
  if (FAULT === "full") return NEEDS_ROOM.has(name) ? "ENOSPC" : undefined;
  if (FAULT === "gone") return "EIO";
  if (calls > Number(FAULT_AT) || FAULT === "count") return undefined;
  if (!FAULT.startsWith("SIG")) return FAULT;
  process.kill(process.pid, FAULT);
  return undefined;
}

function isForWriting(flags = "r") {
  return typeof flags === "number" ? (flags & 3) !== fs.constants.O_RDONLY : !/^rs?$/.test(flags);
}

function halve(words, place) {
  const data = words[place];
  if (typeof data === "string") return words.with(place, data.slice(0, data.length / 2));
  // Of a write from a buffer what follows says how much of it; without that it is all.
  return ArrayBuffer.isView(data) ? [...words.slice(0, place), data.subarray(0, data.length / 2)] : words;
}

function toError(code, name, path) {
  return Object.assign(new Error(`${code}: injected, ${name} '${path}'`), { code, syscall: name });
}

function kill() {
  process.kill(process.pid, "SIGKILL");
}

function inside(call) {
  const wasInside = isInside;
  isInside = true;
  try {
    return call();
  } finally {
    isInside = wasInside;
  }
}

function sabotageSync(name, original, place) {
  return (...words) => {
    const fault = count(name, words);
    if (fault === undefined) return inside(() => original(...words));
    if (fault === "torn" || place !== undefined) inside(() => original(...halve(words, place)));
    if (fault === "torn") kill();
    throw toError(fault, name, words[0]);
  };
}

function sabotageAsync(name, original, place) {
  return async function (...words) {
    const fault = count(name, words);
    if (fault === undefined) return original.apply(this, words);
    if (fault === "torn" || place !== undefined) await original.apply(this, halve(words, place));
    if (fault === "torn") kill();
    throw toError(fault, name, words[0]);
  };
}

function sabotageCallback(name, original, place) {
  const run = (words) =>
    new Promise((resolve, reject) => {
      original(...words, (error, ...results) => (error ? reject(error) : resolve(results)));
    });
  const faulty = sabotageAsync(name, (...words) => run(words), place);
  return (...words) => {
    const answer = words.pop();
    faulty(...words).then((results) => answer(null, ...results), answer);
  };
}

for (const name of [...NEEDS_ROOM, ...OTHERS]) {
  const place = WRITES[name];
  if (fs[`${name}Sync`]) fs[`${name}Sync`] = sabotageSync(name, fs[`${name}Sync`], place);
  if (fs[name]) fs[name] = sabotageCallback(name, fs[name], place);
  if (fs.promises[name] && name !== "open") fs.promises[name] = sabotageAsync(name, fs.promises[name], place);
}

const { open } = fs.promises;
const openHandle = sabotageAsync("open", open);
let isHandleSabotaged = false;
fs.promises.open = async (...words) => {
  const handle = await openHandle(...words);
  if (!isHandleSabotaged) sabotageHandles(Object.getPrototypeOf(handle));
  return handle;
};

function sabotageHandles(prototype) {
  isHandleSabotaged = true;
  for (const name of [
    "write",
    "writeFile",
    "appendFile",
    "writev",
    "truncate",
    "chmod",
    "sync",
    "datasync",
  ]) {
    prototype[name] = sabotageAsync(name, prototype[name], OF_A_HANDLE[name]);
  }
}

syncBuiltinESMExports();

if (FAULT === "count") process.on("exit", () => writeSync(2, `changes: ${calls}\n`));
