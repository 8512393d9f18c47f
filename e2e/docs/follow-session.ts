/** Types what a page says is typed, and compares what is printed with what it shows. */

import { LIMIT_MS } from "../harness/limit.ts";
import type { Block } from "./blocks.ts";
import type { Desk, Typed } from "./desk.ts";
import { restore } from "./follow-file.ts";
import { isBanner, withoutBanner } from "./npm-banner.ts";
import { type Exchange, readSession } from "./session.ts";
import { formatDifference, isShown, renewShown } from "./shown.ts";
import type { Fault, Walk } from "./walk.ts";

/** What goes on until it is stopped, as a whole or after `cd my-app && `. */
const SERVER =
  /(?:^|&& )(?:[A-Z_]+=\S+ )*(?:npm run dev|npm start|(?:npx framework|node (?:--\S+ )*vendor\/framework) (?:dev|start)|node (?:--\S+ )*dist\/server\.js)(?! .*--help)(?: |$)/;

const ADDRESS: readonly string[] = ["…http://…:…"];

/** It only reads, so that it may be asked again until a change is served. */
const READING = /^curl (?!.*(?:-d|--data|--json|-F|-T|-X) )/;

/** Nothing served the request, so it may be asked again, too. */
const UNSERVED = /^\{"error":"Not Found"/;

/** Each line has to succeed; what it prints is not shown. */
export async function followLines({ lines, line }: Block, walk: Walk): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const [index, text] of lines.entries()) {
    const command = text.replace(/(?:^|\s+)#.*$/, "");
    if (command !== "") faults.push(...(await typeWell(walk.desk, command, line + index)));
  }
  restore(walk);
  return faults;
}

async function typeWell(desk: Desk, command: string, line: number): Promise<Fault[]> {
  if (SERVER.test(command)) return startServer(desk, command, ADDRESS, line);
  const { status, printed } = await desk.type(command);
  return status === 0 ? [] : [{ line, what: `$ ${command}\nended with ${status}:\n${printed}` }];
}

export async function followSession(block: Block, walk: Walk): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const exchange of readSession(block)) {
    faults.push(...(await followExchange(exchange, block, walk.desk)));
    if (exchange.shownAfterInterrupt) {
      faults.push(...(await interrupt(walk.desk, exchange.shownAfterInterrupt, exchange.line)));
    }
  }
  restore(walk);
  return faults;
}

function followExchange(exchange: Exchange, { indent }: Block, desk: Desk): Promise<Fault[]> {
  const { command, shown, line } = exchange;
  if (command === undefined) return awaitShown(desk, shown, line, "The server");
  if (SERVER.test(command)) return startServer(desk, command, shown.length > 0 ? shown : ADDRESS, line);
  return compare(desk, { ...exchange, command }, indent);
}

async function startServer(
  desk: Desk,
  command: string,
  shown: readonly string[],
  line: number,
): Promise<Fault[]> {
  await desk.serve(command);
  return awaitShown(desk, shown, line, `$ ${command}`);
}

async function awaitShown(desk: Desk, shown: readonly string[], line: number, who: string): Promise<Fault[]> {
  const printed = await desk.awaitShown(shown);
  return printed === undefined ? [] : [{ line, what: `${who}\n${formatDifference(shown, printed)}` }];
}

async function interrupt(desk: Desk, shown: readonly string[], line: number): Promise<Fault[]> {
  const printed = await desk.interrupt();
  return isShown(shown, printed)
    ? []
    : [{ line, what: `^C of the server\n${formatDifference(shown, printed)}` }];
}

/** A command may fail where the page shows what it then prints. */
async function compare(
  desk: Desk,
  { command, shown, line }: Exchange & { readonly command: string },
  indent: string,
): Promise<Fault[]> {
  const { status, printed } = await typeUntilShown(desk, command, shown);
  if (isShown(shown, printed) && (status === 0 || shown.length > 0)) return [];
  const lines = renewShown(shown, printed).map((text) => indent + text);
  const what = `$ ${command}\n${formatDifference(shown, printed)}\nThe exit status is ${status}.`;
  return [{ line, what, renewal: { length: shown.length, lines } }];
}

async function typeUntilShown(desk: Desk, command: string, shown: readonly string[]): Promise<Typed> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const { status, printed } = await desk.type(command);
    const told = shown.some(isBanner) ? printed : withoutBanner(printed);
    const changedNothing = READING.test(command) || UNSERVED.test(told);
    const mayChange = desk.isServing() && changedNothing && performance.now() < deadline;
    if (!mayChange || isShown(shown, told)) return { status, printed: told };
  }
}
