/** nginx, as docs/deploy.md sets it up, in front of servers on this machine. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask } from "./client.ts";
import { type RunningCommand, start } from "./command.ts";
import { isolatedEnvironment } from "./environment.ts";
import { freePort } from "./port.ts";
import { createFolder, REPOSITORY } from "./workspace.ts";

/** Where Debian's package puts it. */
const PROGRAM = "/usr/sbin/nginx";

export function hasNginx(): boolean {
  return existsSync(PROGRAM);
}

export interface Nginx {
  readonly url: string;
  /** What it had to say, but of servers that did not listen: it asks the other one then. */
  errors(): string;
  stop(): Promise<void>;
}

/** @param ports where the servers listen on 127.0.0.1. */
export async function startNginx(ports: readonly number[]): Promise<Nginx> {
  const folder = createFolder("nginx");
  const port = await freePort();
  const site = documentedSite()
    .replace(/^ *#.*\n/gm, "")
    .replace(/^ *server 127\.0\.0\.1:8000(.*)$/m, (_line, rest) =>
      ports.map((each) => `  server 127.0.0.1:${each}${rest}`).join("\n"),
    )
    .replace("listen 80;", `listen 127.0.0.1:${port};`);
  const file = join(folder, "nginx.conf");
  writeFileSync(file, configuration(folder, site));
  const command = start([PROGRAM, "-c", file, "-e", join(folder, "error.log")], {
    cwd: folder,
    env: isolatedEnvironment(),
  });
  const url = `http://127.0.0.1:${port}`;
  await whenUp(url, command);
  command.letGo();
  return {
    url,
    errors: () => readFileSync(join(folder, "error.log"), "utf8").replace(/^.*Connection refused.*\n/gm, ""),
    async stop() {
      command.signal("SIGTERM");
      await command.waitForEnd();
    },
  };
}

/** What users copy is what is tested. */
function documentedSite(): string {
  const [, site] =
    /^```nginx\n(.*?)^```$/ms.exec(readFileSync(join(REPOSITORY, "docs/deploy.md"), "utf8")) ?? [];
  if (site === undefined) throw new Error("docs/deploy.md shows no nginx configuration.");
  return site;
}

function configuration(folder: string, site: string): string {
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
access_log off;
${paths.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n")}
${site}
}
`;
}

async function whenUp(url: string, command: RunningCommand): Promise<void> {
  const isUp = (): Promise<boolean> =>
    ask(url, "GET /").then(
      () => true,
      () => false,
    );
  while (!(await isUp())) {
    const hasEnded = await Promise.race([command.ended, new Promise((resolve) => setTimeout(resolve, 50))]);
    if (hasEnded) throw new Error(`nginx does not start:\n${command.output()}`);
  }
}
