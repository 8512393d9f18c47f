/** An empty cluster of Postgres in a temporary folder: where its programs are, who may run them, and how it is set up. */

import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

export interface Cluster {
  /** Of its own: `data/` and the socket are in it. */
  readonly folder: string;
  /** The folder with `postgres` and `initdb`. */
  readonly programs: string;
  readonly owner: Owner;
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** @param password of the user `postgres`, by the port. The socket asks for none. @returns why there is none, where it can't be had. */
export function createCluster(port: number, password: string): Cluster | string {
  const programs = findPrograms();
  if (programs === undefined) return "its programs are not installed";
  const owner = findOwner();
  if (owner === undefined) return "root may not run it, and there is no user `postgres`";
  // Its owner can't enter the run's own folder. The name is short, because the path of a socket has to be.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pg-")));
  chownSync(folder, owner.uid, owner.gid);
  chmodSync(folder, 0o711);
  const cluster = { folder, programs, owner };
  try {
    initialise(cluster, port, password);
    return cluster;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    return `initdb failed: ${error instanceof Error ? error.message : error}`;
  }
}

/** Debian keeps them out of the search path, in a folder for each version. */
function findPrograms(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  return [
    ...(process.env.PATH ?? "").split(delimiter),
    ...versions.map((version) => join(debian, version, "bin")),
  ].find((folder) => ["initdb", "postgres"].every((program) => existsSync(join(folder, program))));
}

/** Root may not run it: then the user `postgres` does. */
function findOwner(): Owner | undefined {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  if (uid === undefined || gid === undefined) return undefined;
  if (uid !== 0) return { uid, gid };
  const [, user, group] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync("/etc/passwd", "utf8")) ?? [];
  return user && group ? { uid: Number(user), gid: Number(group) } : undefined;
}

function initialise({ folder, programs, owner }: Cluster, port: number, password: string): void {
  const data = join(folder, "data");
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password);
  chownSync(passwordFile, owner.uid, owner.gid);
  const access = ["--auth-local", "trust", "--auth-host", "scram-sha-256", "--pwfile", passwordFile];
  // The locale has letters beyond ASCII in both cases, and is on each machine.
  const words = ["--pgdata", data, "--username", "postgres", "--encoding", "UTF8", "--locale", "C.UTF-8"];
  execFileSync(join(programs, "initdb"), [...words, ...access, "--no-sync"], {
    ...owner,
    cwd: folder,
    stdio: "pipe",
  });
  const settings = [
    "listen_addresses = '127.0.0.1'",
    `port = ${port}`,
    `unix_socket_directories = '${folder}'`,
    "max_connections = 200",
    "shared_buffers = 32MB",
    // Only a crash of the machine would lose something.
    "fsync = off",
    "full_page_writes = off",
    // No replica reads the log, and no database lives so long that rows are to be cleared away.
    "wal_level = minimal",
    "max_wal_senders = 0",
    "autovacuum = off",
  ];
  appendFileSync(join(data, "postgresql.conf"), `${settings.join("\n")}\n`);
}
