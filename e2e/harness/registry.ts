/** A registry in this process, with our package in it, as a newcomer's `npm create` finds it. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { runWell } from "./command.ts";
import { ordinaryEnvironment } from "./environment.ts";
import { once } from "./once.ts";
import { packOnce } from "./package.ts";
import { REPOSITORY } from "./workspace.ts";

export interface Registry {
  readonly url: string;
  publish(tarball: string): Promise<void>;
}

/** The registry, with the package of this repository. */
export const registryWithPackage: () => Promise<Registry> = once("registry", async () => {
  const [registry, { tarball }] = await Promise.all([startRegistry(), packOnce()]);
  await registry.publish(tarball);
  return registry;
});

/** Package managers refuse what is younger than a setting of theirs. */
const PUBLISHED = "2020-01-01T00:00:00.000Z";

/** An empty registry. It has no other one to ask for what it lacks. */
export async function startRegistry(): Promise<Registry> {
  /** By path: the document of a package, or a tarball. */
  const texts = new Map<string, string | Buffer>();
  const server = createServer(({ url = "" }, response) => {
    const text = texts.get(url);
    response.writeHead(text === undefined ? 404 : 200, {
      "content-type": typeof text === "string" ? "application/json" : "application/octet-stream",
    });
    response.end(text ?? "{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    async publish(tarball) {
      const words = ["tar", "-xzOf", tarball, "package/package.json"];
      const { stdout } = await runWell(words, { cwd: REPOSITORY, env: ordinaryEnvironment() });
      const manifest = JSON.parse(stdout) as { readonly name: string; readonly version: string };
      const { name, version } = manifest;
      const bytes = readFileSync(tarball);
      const file = `${name}/-/${name}-${version}.tgz`;
      const digest = (algorithm: string, encoding: "hex" | "base64"): string =>
        createHash(algorithm).update(bytes).digest(encoding);
      const integrity = `sha512-${digest("sha512", "base64")}`;
      const dist = { tarball: `${url}${file}`, shasum: digest("sha1", "hex"), integrity };
      texts.set(`/${file}`, bytes);
      texts.set(
        `/${name}`,
        JSON.stringify({
          name,
          "dist-tags": { latest: version },
          time: { created: PUBLISHED, modified: PUBLISHED, [version]: PUBLISHED },
          versions: { [version]: { ...manifest, dist } },
        }),
      );
    },
  };
}
