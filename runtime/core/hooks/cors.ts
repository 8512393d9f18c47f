/** Cross-origin requests, as the Fetch standard has them (https://fetch.spec.whatwg.org/#http-cors-protocol). */

import type { Exchange } from "../message/exchange.ts";
import type { Answer } from "../message/result.ts";
import type { Method } from "../routing/route.ts";
import type { CorsSettings } from "../settings.ts";

export interface Cors {
  /**
   * @param findMethods gives the methods that the path serves; undefined where it serves none.
   * @returns the answer to a preflight; undefined for any other request.
   */
  preflight(exchange: Exchange, findMethods: () => readonly Method[] | undefined): Answer | undefined;
  /** Adds the headers that let scripts of other origins read the answer. */
  share(answer: Answer, exchange: Exchange): Answer;
}

export function createCors(_settings: CorsSettings): Cors {
  throw new Error("The branch `cors` writes this.");
}
