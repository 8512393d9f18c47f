/** PgBouncer, as docs/production-database.md sets it up, in front of a Postgres on this machine. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { start } from "./command.ts";
import { isolatedEnvironment } from "./environment.ts";
import { freePort } from "./port.ts";
import { createFolder, REPOSITORY } from "./workspace.ts";

/** Where Debian's package puts it. */
const PROGRAM = "/usr/sbin/pgbouncer";

export function hasPgbouncer(): boolean {
  return existsSync(PROGRAM);
}

export interface Upstream {
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
}

/**
 * @param poolSize how many connections it has to Postgres
 * @returns the URL of the same database through it.
 */
export async function startPgbouncer(upstream: Upstream, poolSize: number): Promise<string> {
  const { port, database, user, password } = upstream;
  const folder = createFolder("pgbouncer");
  const ownPort = await freePort();
  const users = join(folder, "userlist.txt");
  writeFileSync(users, `"${user}" "${password}"\n`);
  const file = join(folder, "pgbouncer.ini");
  const settings = documentedSettings()
    .replace(/^app = .*$/m, `${database} = host=127.0.0.1 port=${port} dbname=${database}`)
    .replace(/^listen_port = .*$/m, `listen_port = ${ownPort}`)
    .replace(/^auth_file = .*$/m, `auth_file = ${users}\nunix_socket_dir =`)
    .replace(/^default_pool_size = .*$/m, `default_pool_size = ${poolSize}`);
  writeFileSync(file, settings);
  // It refuses to be root's.
  const asOther = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const command = start([PROGRAM, ...asOther, file], { cwd: folder, env: isolatedEnvironment() });
  await command.waitFor(/process up/);
  command.letGo();
  return `postgres://${user}:${password}@127.0.0.1:${ownPort}/${database}`;
}

/** What users copy is what is tested. */
function documentedSettings(): string {
  const page = readFileSync(join(REPOSITORY, "docs/production-database.md"), "utf8");
  const [, settings] = /^```ini\n(.*?)^```$/ms.exec(page) ?? [];
  if (settings === undefined) throw new Error("docs/production-database.md shows no pgbouncer.ini.");
  return settings;
}
