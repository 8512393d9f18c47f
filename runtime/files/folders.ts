/** Serves folders of static files (`[files]` in `framework.toml`). */

import { preferCoding } from "../message/encoding.ts";
import type { Exchange } from "../message/exchange.ts";
import type { Answer } from "../message/result.ts";
import type { Source } from "../message/stream.ts";
import type { FilesSettings } from "../settings.ts";
import { answerFile, type StoredFile, storedFile } from "./stored-file.ts";

type FileRequest = Pick<Exchange, "method" | "path" | "header">;

/** @returns undefined if no file matches the request. */
export type Files = (exchange: FileRequest) => Promise<Answer<Source> | undefined> | undefined;

/** A file, and its precompressed variants by content coding. */
interface Stored {
  readonly plain: StoredFile;
  readonly coded: ReadonlyMap<string, StoredFile>;
}

const CODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;
const INDEX = "index.html";
/** A year, the maximum for caches. */
const FOREVER = "public, max-age=31536000, immutable";

/**
 * Milliseconds for which a file is cached. Files of up to a megabyte are then sent from memory: 1 kB takes 45 µs of processor time
 * (sirv: 290), 1 MB takes 0.5 ms (sirv: 3; as a stream: 3.5) (wrk -c32, Node 24).
 */
const FRESH_MS = 1000;
const MAX_CACHE_ENTRIES = 1000;
const MAX_CACHE_BYTES = 32 * 1024 * 1024;
const MAX_CACHED_FILE = 1024 * 1024;
/** In bytes. The server sends a short ASCII text faster as a string. */
const MAX_TEXT = 16 * 1024;

/**
 * @param root a URL inside the folder to which the settings' folders are relative: `import.meta.url` of a built server.
 * @param isLive true to read the disk for each request, in dev.
 */
export function createFiles(settings: FilesSettings, root: string, isLive = false): Files | undefined {
  const base = findBase(root);
  if (base === undefined) return undefined;
  const folders = new Folders(settings, base, isLive);
  return (exchange) =>
    exchange.method === "GET" || exchange.method === "HEAD" ? folders.answer(exchange) : undefined;
}

/** Cloudflare may have these modules, but it has no files. */
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
  readonly #cache = new Map<string, { readonly at: number; readonly stored: Promise<Stored | undefined> }>();
  #bytes = 0;

  constructor(settings: FilesSettings, base: string, isLive: boolean) {
    this.#settings = settings;
    this.#base = base;
    this.#isLive = isLive;
  }

  async answer(exchange: FileRequest): Promise<Answer<Source> | undefined> {
    const { fallback, folders, immutable } = this.#settings;
    const path = decodePath(exchange.path);
    const match =
      path && folders.find(({ at }) => path === at || path.startsWith(at === "/" ? at : `${at}/`));
    if (path === undefined || !match) return undefined;
    const name = path.slice(match.at.length).replace(/^\//, "");
    const isImmutable = immutable !== undefined && name.startsWith(immutable);
    const stored =
      (await this.#find(match.folder, name, isImmutable)) ??
      (fallback !== undefined && !isImmutable && isPage(exchange, name)
        ? await this.#find(match.folder, fallback, false)
        : undefined);
    if (stored === undefined) return undefined;
    const { coded, plain } = stored;
    const coding = preferCoding(exchange.header("accept-encoding") ?? "", [...coded.keys()]) ?? "";
    return answerFile(coded.get(coding) ?? plain, exchange);
  }

  /** Simultaneous requests for a file share one read. */
  #find(folder: string, name: string, isImmutable: boolean): Promise<Stored | undefined> {
    const key = `${folder}/${name}`;
    const cached = this.#cache.get(key);
    const now = performance.now();
    if (cached !== undefined && now - cached.at < FRESH_MS) return cached.stored;
    const stored = this.#load(folder, name, isImmutable);
    if (this.#isLive) return stored;
    this.#cache.set(key, { at: now, stored });
    return stored.then((file) => {
      // A file that is too large to cache may change, and its headers with it.
      if (file?.plain.content === undefined) this.#cache.delete(key);
      else
        for (const { content } of [file.plain, ...file.coded.values()]) this.#bytes += content?.length ?? 0;
      if (this.#cache.size > MAX_CACHE_ENTRIES || this.#bytes > MAX_CACHE_BYTES) {
        this.#cache.clear();
        this.#bytes = 0;
      }
      return file;
    });
  }

  async #load(folder: string, name: string, isImmutable: boolean): Promise<Stored | undefined> {
    const { join } = process.getBuiltinModule("node:path");
    const base = join(this.#base, folder);
    const exact = /[^/]$/.test(name) ? await statInside(base, name) : undefined;
    const file = exact ?? (await statInside(base, join(name, INDEX)));
    if (file === undefined) return undefined;
    const cache = ["Cache-Control", isImmutable ? FOREVER : "no-cache", "X-Content-Type-Options", "nosniff"];
    const variants = await Promise.all(
      CODINGS.map(async ([coding, ending]) => [coding, await statInside(base, file.name + ending)] as const),
    );
    const present = variants.flatMap(([coding, variant]) => (variant ? [[coding, variant] as const] : []));
    const vary = present.length === 0 ? cache : [...cache, "Vary", "Accept-Encoding"];
    const plain = storedFile(file.path, file, vary);
    const type = plain.headers[1];
    return {
      plain: await withContent(plain),
      coded: new Map(
        await Promise.all(
          present.map(async ([coding, { path, ...stats }]) => {
            const headers = [...vary, "Content-Encoding", coding];
            return [coding, await withContent(storedFile(path, stats, headers, type, coding))] as const;
          }),
        ),
      ),
    };
  }
}

/** @returns undefined for a path that can't name a file: with an empty or hidden segment, or with a separator inside a segment. */
function decodePath(path: string): string | undefined {
  const segments = path.split("/").slice(1).map(decodeURIComponent);
  const last = segments.length - 1;
  const isInvalid = segments.some(
    (segment, at) => isHidden(segment, at) || (segment === "" && at < last) || /[\\/:\0]/.test(segment),
  );
  return isInvalid ? undefined : `/${segments.join("/")}`;
}

/** `.well-known` is public (RFC 8615). */
function isHidden(name: string, at: number): boolean {
  return name.startsWith(".") && !(at === 0 && name === ".well-known");
}

/** True if a browser navigates to a page, which gets the fallback; false if a program requests data. */
function isPage(exchange: FileRequest, name: string): boolean {
  const accept = exchange.header("accept") ?? "*/*";
  if (/text\/html/i.test(accept)) return true;
  const target = exchange.header("sec-fetch-dest") ?? "document";
  return /\*\/\*/.test(accept) && !/json/i.test(accept) && target === "document" && !/\.\w+$/.test(name);
}

interface FileStats {
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** @returns undefined if there is no such file, or if a symbolic link leads out of the folder or to a hidden file. */
async function statInside(base: string, name: string): Promise<FileStats | undefined> {
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

/** True for a path that must not be served. Both paths must be resolved. */
export function isOutOrHidden(folder: string, path: string): boolean {
  const { isAbsolute, relative, sep } = process.getBuiltinModule("node:path");
  const inside = relative(folder, path);
  // `..` is hidden, too, but not the `..data` of a ConfigMap in Kubernetes. On another drive of Windows, `inside` is absolute.
  return (
    isAbsolute(inside) || inside.split(sep).some((name, at) => isHidden(name, at) && !/^\.\.\w/.test(name))
  );
}

async function withContent(file: StoredFile): Promise<StoredFile> {
  if (file.size > MAX_CACHED_FILE) return file;
  const { readFile } = process.getBuiltinModule("node:fs/promises");
  const { isAscii } = process.getBuiltinModule("node:buffer");
  const bytes = await readFile(file.path);
  if (bytes.length !== file.size) return file;
  return {
    ...file,
    content: bytes.length <= MAX_TEXT && isAscii(bytes) ? bytes.toString("latin1") : bytes,
  };
}
