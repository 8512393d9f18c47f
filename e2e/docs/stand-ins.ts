/** What a page names and a test can't have: the ports, which others on the machine hold, and the folder of a person called Ada. */

import { freePort } from "../harness/port.ts";

export interface StandIns {
  /** What stands for the first of the ports, which is the one that a new project has. */
  readonly port: string;
  toReal(text: string): string;
  toShown(text: string): string;
}

const PORTS = ["8000", "3000", "8080", "8001"];
const HOME = "/home/ada";
/** Tests listen on this machine only. */
const EVERYWHERE = /(?<![\d.])0\.0\.0\.0(?![\d.])/g;

/** @param home the folder that stands for Ada's. */
export async function createStandIns(home: string): Promise<StandIns> {
  const ports: (readonly [shown: string, real: string])[] = [];
  for (const port of PORTS) ports.push([port, String(await freePort())]);
  const replace = (text: string, pairs: readonly (readonly [from: string, to: string])[]): string =>
    text.replace(/\b\d{4,5}\b/g, (number) => pairs.find(([from]) => from === number)?.[1] ?? number);
  return {
    port: ports[0]?.[1] ?? "",
    toReal: (text) => replace(text.replaceAll(HOME, home).replaceAll(EVERYWHERE, "127.0.0.1"), ports),
    toShown: (text) =>
      replace(
        text.replaceAll(home, HOME),
        ports.map(([shown, real]) => [real, shown]),
      ),
  };
}
