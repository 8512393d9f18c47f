/** Sends bytes as they are over a connection of their own, and reads what comes back until it is closed. */

import { connect } from "node:net";

/** @returns all that the server sent, byte by byte as Latin-1; "" when it hung up at once. */
export function sendRaw(url: string, bytes: string | Uint8Array): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(Number(port), hostname);
    socket.setEncoding("latin1").setTimeout(10_000, () => socket.destroy());
    socket.on("data", (text) => {
      received += text;
    });
    socket.on("error", () => {}).once("close", () => resolve(received));
    socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  });
}

export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0);
}

export function bodyOf(answer: string): string {
  return Buffer.from(answer.slice(answer.indexOf("\r\n\r\n") + 4), "latin1").toString();
}
