/** Makes a conversation that shows a difference smaller, as long as it shows one. */

import type { Connection } from "./connection.fixture.ts";

const MOST_TRIES = 300;

/** @returns the smallest that was found. */
export async function shrink(
  from: Connection,
  fails: (connection: Connection) => Promise<boolean>,
): Promise<Connection> {
  let smallest = from;
  let tries = 0;
  for (let isSmaller = true; isSmaller && tries < MOST_TRIES; ) {
    isSmaller = false;
    for (const candidate of smallerOnes(smallest)) {
      if (++tries > MOST_TRIES) break;
      if (!(await fails(candidate))) continue;
      smallest = candidate;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

function* smallerOnes({ requests, cuts, halfCloses }: Connection): Generator<Connection> {
  for (let at = 0; at < requests.length && requests.length > 1; at++)
    yield { requests: requests.filter((_, index) => index !== at), cuts, halfCloses };
  if (halfCloses) yield { requests, cuts, halfCloses: false };
  if (cuts.length > 0) yield { requests, cuts: [], halfCloses };
  if (cuts.length > 2) {
    const middle = Math.floor(cuts.length / 2);
    yield { requests, cuts: cuts.slice(0, middle), halfCloses };
    yield { requests, cuts: cuts.slice(middle), halfCloses };
  }
  for (let at = 0; at < requests.length; at++) {
    for (const text of shorterTexts(requests[at]?.text ?? "")) {
      const changed = { text, faults: requests[at]?.faults ?? [] };
      yield {
        requests: requests.map((request, index) => (index === at ? changed : request)),
        cuts,
        halfCloses,
      };
    }
  }
}

/** Without one of its lines, and with its long runs of one byte cut short. */
function* shorterTexts(text: string): Generator<string> {
  const lines = text.split(/(?<=\n)/);
  if (lines.length < 100)
    for (let at = 1; at < lines.length; at++) yield lines.filter((_, index) => index !== at).join("");
}
