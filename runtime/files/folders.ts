/** The folders of files that a server has beside its routes: `[files]` of `framework.toml`. */

import { preferCoding } from "../message/encoding.ts";
import type { Exchange } from "../message/exchange.ts";
import type { Answer } from "../message/result.ts";
import type { Source } from "../message/stream.ts";
import type { FilesSettings } from "../settings.ts";
import { answerFile, type StoredFile, storedFile } from "./stored-file.ts";

type Asked = Pick<Exchange, "method" | "path" | "header">;

/** @returns undefined for a request that no file answers. */
export type Files = (exchange: Asked) => Promise<Answer<Source> | undefined> | undefined;

/** What is at a path: the file, and the same file compressed, by coding. */
interface Stored {
  readonly plain: StoredFile;
  readonly coded: ReadonlyMap<string, StoredFile>;
}

const CODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;
const INDEX = "index.html";
/** A year, as long as caches take. */
const FOREVER = "public, max-age=31536000, immutable";

/**
 * For how long a file is not looked at again. Meanwhile up to a megabyte is sent from memory: 1 kB takes 45 µs of the processor's time
 * where sirv takes 290, 1 MB takes 0.5 ms where sirv takes 3, and in pieces 3.5 (wrk -c32, Node 24).
 */
const FRESH_MS = 1000;
const MOST_KEPT = 1000;
const MOST_KEPT_BYTES = 32 * 1024 * 1024;
const LARGEST_KEPT = 1024 * 1024;
/** The server writes a short ASCII text faster than bytes. */
const LONGEST_TEXT = 16 * 1024;

/**
 * @param root a URL in the folder that the settings' folders are in: `import.meta.url` of a built server.
 * @param isLive look at the disk for each request: in dev.
 * @returns undefined on a platform without files.
 */
export function createFiles(settings: FilesSettings, root: string, isLive = false): Files | undefined {
  const base = findBase(root);
  if (base === undefined) return undefined;
  const folders = new Folders(settings, base, isLive);
  return (exchange) =>
    exchange.method === "GET" || exchange.method === "HEAD" ? folders.answer(exchange) : undefined;
}

/** A worker of Cloudflare has none, although it may have these modules. */
function findBase(root: string): string | undefined {
  try {
    const { fileURLToPath } = process.getBuiltinModule("node:url");
    return fileURLToPath(new URL(".", root));
  } catch {
    return undefined;
  }
}

class Folders {
  readonly #settings: FilesSettings;
  readonly #base: string;
  readonly #isLive: boolean;
  readonly #kept = new Map<string, { readonly at: number; readonly stored: Promise<Stored | undefined> }>();
  #keptBytes = 0;

  constructor(settings: FilesSettings, base: string, isLive: boolean) {
    this.#settings = settings;
    this.#base = base;
    this.#isLive = isLive;
  }

  async answer(exchange: Asked): Promise<Answer<Source> | undefined> {
    const { fallback, folders, immutable } = this.#settings;
    const path = decodePath(exchange.path);
    const found =
      path && folders.find(({ at }) => path === at || path.startsWith(at === "/" ? at : `${at}/`));
    if (path === undefined || !found) return undefined;
    const name = path.slice(found.at.length).replace(/^\//, "");
    const isImmutable = immutable !== undefined && name.startsWith(immutable);
    const stored =
      (await this.#find(found.folder, name, isImmutable)) ??
      (fallback !== undefined && !isImmutable && isPage(exchange, name)
        ? await this.#find(found.folder, fallback, false)
        : undefined);
    if (stored === undefined) return undefined;
    const { coded, plain } = stored;
    const coding = preferCoding(exchange.header("accept-encoding") ?? "", [...coded.keys()]) ?? "";
    return answerFile(coded.get(coding) ?? plain, exchange);
  }

  /** Requests for the same file share one look at it. */
  #find(folder: string, name: string, isImmutable: boolean): Promise<Stored | undefined> {
    const key = `${folder}/${name}`;
    const kept = this.#kept.get(key);
    const now = performance.now();
    if (kept !== undefined && now - kept.at < FRESH_MS) return kept.stored;
    const stored = this.#look(folder, name, isImmutable);
    if (this.#isLive) return stored;
    this.#kept.set(key, { at: now, stored });
    return stored.then((one) => {
      // What is read as it is sent may be another file by then.
      if (one?.plain.content === undefined) this.#kept.delete(key);
      else
        for (const { content } of [one.plain, ...one.coded.values()]) this.#keptBytes += content?.length ?? 0;
      if (this.#kept.size > MOST_KEPT || this.#keptBytes > MOST_KEPT_BYTES) {
        this.#kept.clear();
        this.#keptBytes = 0;
      }
      return one;
    });
  }

  async #look(folder: string, name: string, isImmutable: boolean): Promise<Stored | undefined> {
    const { join } = process.getBuiltinModule("node:path");
    const base = join(this.#base, folder);
    const itself = /[^/]$/.test(name) ? await statInside(base, name) : undefined;
    const file = itself ?? (await statInside(base, join(name, INDEX)));
    if (file === undefined) return undefined;
    const cache = ["Cache-Control", isImmutable ? FOREVER : "no-cache", "X-Content-Type-Options", "nosniff"];
    const inCodings = await Promise.all(
      CODINGS.map(async ([coding, ending]) => [coding, await statInside(base, file.name + ending)] as const),
    );
    const present = inCodings.flatMap(([coding, one]) => (one ? [[coding, one] as const] : []));
    const vary = present.length === 0 ? cache : [...cache, "Vary", "Accept-Encoding"];
    const plain = storedFile(file.path, file, vary);
    const type = plain.headers[1];
    return {
      plain: await withContent(plain),
      coded: new Map(
        await Promise.all(
          present.map(async ([coding, one]) => {
            const headers = [...vary, "Content-Encoding", coding];
            return [coding, await withContent(storedFile(one.path, one, headers, type, coding))] as const;
          }),
        ),
      ),
    };
  }
}

/** @returns undefined for a path that names no file: with an empty or a hidden segment, or one with a separator in it. */
function decodePath(path: string): string | undefined {
  const segments = path.split("/").slice(1).map(decodeURIComponent);
  const last = segments.length - 1;
  const isWrong = segments.some(
    (segment, at) => isHidden(segment, at) || (segment === "" && at < last) || /[\\/:\0]/.test(segment),
  );
  return isWrong ? undefined : `/${segments.join("/")}`;
}

/** `.well-known` is for everyone (RFC 8615). */
function isHidden(name: string, at: number): boolean {
  return name.startsWith(".") && !(at === 0 && name === ".well-known");
}

/** Whether a person asks for a page, who shall get the application, and not a program for data. */
function isPage(exchange: Asked, name: string): boolean {
  const accept = exchange.header("accept") ?? "*/*";
  if (/text\/html/i.test(accept)) return true;
  const target = exchange.header("sec-fetch-dest") ?? "document";
  return /\*\/\*/.test(accept) && !/json/i.test(accept) && target === "document" && !/\.\w+$/.test(name);
}

interface Found {
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** @returns undefined if there is no such file, or if links lead out of the folder, or to a hidden file. */
async function statInside(base: string, name: string): Promise<Found | undefined> {
  const { realpath, stat } = process.getBuiltinModule("node:fs/promises");
  const { join } = process.getBuiltinModule("node:path");
  try {
    const [folder, path] = await Promise.all([realpath(base), realpath(join(base, name))]);
    if (isOutOrHidden(folder, path)) return undefined;
    const stats = await stat(path);
    return stats.isFile() ? { name, path, size: stats.size, mtimeMs: stats.mtimeMs } : undefined;
  } catch {
    return undefined;
  }
}

/** Both paths are without links. @param folder of files to serve. */
export function isOutOrHidden(folder: string, path: string): boolean {
  const { isAbsolute, relative, sep } = process.getBuiltinModule("node:path");
  const inside = relative(folder, path);
  // `..` is hidden, too, but not the `..data` of a ConfigMap in Kubernetes; on another drive of Windows, the path is whole.
  return isAbsolute(inside) || inside.split(sep).some((one, at) => isHidden(one, at) && !/^\.\.\w/.test(one));
}

async function withContent(file: StoredFile): Promise<StoredFile> {
  if (file.size > LARGEST_KEPT) return file;
  const { readFile } = process.getBuiltinModule("node:fs/promises");
  const { isAscii } = process.getBuiltinModule("node:buffer");
  const bytes = await readFile(file.path);
  if (bytes.length !== file.size) return file;
  return {
    ...file,
    content: bytes.length <= LONGEST_TEXT && isAscii(bytes) ? bytes.toString("latin1") : bytes,
  };
}
