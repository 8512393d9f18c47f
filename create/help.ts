/** What `--help` prints. */

import kleur from "kleur";
import { FLAGS } from "./flags.ts";

export function formatHelp(): string {
  const rows = FLAGS.map((flag) => {
    const short = flag.short === undefined ? "    " : `-${flag.short}, `;
    const name = flag.negatable ? `[no-]${flag.name}` : flag.name;
    const left = `  ${short}--${name}${flag.value === undefined ? "" : ` ${flag.value}`}`;
    return `${left.padEnd(28)}${flag.description}`;
  });
  return [
    `${kleur.bold("create-convention-app")}: a TypeScript web API with function names for routes`,
    "",
    kleur.bold("Usage"),
    "  npm create convention-app@latest [directory] [-- options]",
    "",
    "  directory                 new, empty, or . for this folder (default: my-app);",
    "                            its last part is the project's name",
    "",
    kleur.bold("Options"),
    ...rows,
    "",
    kleur.bold("Examples"),
    "  npm create convention-app@latest my-shop -- --yes --apps products",
    "  npm create --silent convention-app@latest my-shop -- --json",
    "  pnpm create convention-app@latest my-shop --yes",
    "",
    "Only npm wants -- before options. On a terminal you are asked for what is",
    "missing; elsewhere it takes its default.",
    "Exit status: 0 done, 1 failed, 2 wrong usage, 130 cancelled.",
  ].join("\n");
}
