/** The process that serves a project under `framework dev`. If a file of the framework keeps it from starting, it reports that. */

import { findBrokenFile } from "../load/broken-file.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

try {
  const { ready } = await import("./serve.ts");
  await ready;
} catch (error) {
  const broken = await findBrokenFile(error);
  const stack = error instanceof Error ? error.stack : String(error);
  const text = broken ? `error ${broken.message}\n  hint: ${broken.hint}` : `error ${stack}`;
  const refused: FromWorker = { kind: "refused", report: text, failed: [] };
  process.on("message", ({ kind }: ToWorker) => kind === "load" && process.send?.(refused));
  process.on("disconnect", () => process.exit());
}
