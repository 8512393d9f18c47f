/** Third-party code of the vendored runtime, apart from ours: one bundled file a library, with its licence beside it. */

import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { type Plugin, rolldown } from "rolldown";
import { collectLicences } from "./licences.ts";

/**
 * Called by the build.
 *
 * @param from the folder with one TypeScript file a library
 * @param to the folder of the bundles
 */
export async function bundleLibraries(from: string, to: string): Promise<void> {
  for (const file of readdirSync(from).filter((name) => name.endsWith(".ts"))) {
    const bundle = await rolldown({
      input: join(from, file),
      platform: "node",
      logLevel: "warn",
      // ES modules where a library has them: a CommonJS one stands in a function, which Node 20 compiles twice.
      resolve: { mainFields: ["module", "main"] },
      plugins: [unwrapParser(), collectLicences()],
    });
    await bundle.write({
      file: join(to, `${basename(file, ".ts")}.js`),
      format: "esm",
      minify: true,
      codeSplitting: false,
    });
    await bundle.close();
  }
}

/** @babel/parser 7 has only a CommonJS form. Without the function around it, it loads in half the time on Node 20. */
function unwrapParser(): Plugin {
  return {
    name: "unwrap-parser",
    transform(code, id) {
      if (!/[\\/]@babel[\\/]parser[\\/]lib[\\/]index\.js$/.test(id)) return undefined;
      const body = code
        .replace(/Object\.defineProperty\(exports, ['"]__esModule['"], \{[^}]*\}\);/, "")
        .replace(/^exports\.(\w+) = (\w+);$/gm, "export { $2 as $1 };");
      if (/^\s*(?:module\.)?exports\b|\brequire\(/m.test(body))
        throw new Error(`${id} has another form now.`);
      return { code: body, moduleType: "js" };
    },
  };
}
