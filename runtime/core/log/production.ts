/** The log of a server in production: lines of JSON for programs, or readable text if stdout is a terminal. */

import { formatJsonLine } from "./json-line.ts";
import { createLineWriter } from "./lines.ts";
import { consoleLog, type Log, type LogEvent } from "./log.ts";

const STDOUT = 1;

/** Errors go to stdout, too, as with other loggers: one stream keeps the lines in the order of the events. */
export function createProductionLog(): Log {
  if (process.getBuiltinModule("node:tty").isatty(STDOUT)) return consoleLog;
  const { write } = createLineWriter(STDOUT, (count) => {
    const message = `${count} lines of the log were lost: they came faster than they were read.`;
    return formatJsonLine("warn", { message }, Date.now());
  });
  return {
    info: (event: LogEvent) => write(formatJsonLine("info", event, Date.now())),
    error: (event: LogEvent) => write(formatJsonLine("error", event, Date.now())),
  };
}
