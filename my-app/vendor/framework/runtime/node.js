import {
  clientGone,
  bodyTooLarge,
  errorAnswer,
  contentLength,
  TOKEN,
  Exchange,
  joinHeaders,
  bodyDropped,
  discard,
  isPlain,
  serverStops,
  frameHeaders,
} from "./message.js";
import { currentWorker, isWorker, tellPrimary, Problem } from "./log.js";

/** The body of a node:http message: read whole or in pieces within a limit, or dropped as it arrives. */

/**
 * By `data` events where the body can't be taken directly, because an async iterator takes a tenth longer. The listeners are closures:
 * shared ones would find their state on the message, and one more property on it slows down all that node:http does with it.
 *
 * @param parse makes the value of the whole body; what it throws rejects the promise.
 * @returns rejects with `HttpError` 413 above the limit, with `AbortError` when the client leaves before the end.
 */
function readBody(incoming, limit, parse) {
  if (incoming.destroyed) return Promise.reject(clientGone());
  return new Promise((resolve, reject) => {
    const chunks = [];
    let size = 0;
    const onEnd = () => {
      const [first] = chunks;
      try {
        resolve(parse(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, size)));
      } catch (error) {
        reject(error);
      }
    };
    const onChunk = (chunk) => {
      if (size > limit) return;
      if (chunk === null) return onEnd();
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limit) return;
      chunks.length = 0;
      reject(bodyTooLarge(limit));
    };
    if (!incoming.takeBody?.(onChunk)) incoming.on("data", onChunk).on("end", () => onChunk(null));
    incoming.on("error", () => reject(clientGone()));
  });
}

/** So many bytes of a body wait in memory for its reader before the socket is paused. */
const READ_AHEAD = 128 * 1024;

/**
 * The body in pieces. By hand, because with async generators a megabyte took 3.0 ms of processor time instead of 1.9 (Node 24,
 * `npm run bench -- http --case pieces-1m`).
 *
 * @returns its `next` rejects as {@link readBody} does. It must not be called again before its promise is settled.
 */
function readPieces(incoming, limit) {
  const pieces = [];
  let size = 0;
  let taken = 0;
  let failure = incoming.destroyed ? clientGone() : undefined;
  let wake = () => {};
  const fail = (error) => {
    failure ??= error;
    wake();
  };
  const onData = (chunk) => {
    size += chunk.length;
    if (size > limit) fail(bodyTooLarge(limit));
    else pieces.push(chunk);
    if (size - taken > READ_AHEAD) incoming.pause();
    wake();
  };
  incoming.on("data", onData).on("end", () => wake());
  incoming.on("error", () => fail(clientGone()));
  const done = { done: true, value: undefined };
  return {
    async next() {
      while (pieces.length === 0 && failure === undefined && !incoming.readableEnded) {
        if (incoming.isPaused()) incoming.resume();
        await new Promise((resolve) => {
          wake = resolve;
        });
      }
      const value = pieces.shift();
      if (value === undefined) {
        if (failure === undefined) return done;
        await this.return?.();
        throw failure;
      }
      taken += value.length;
      return { done: false, value };
    },
    async return() {
      incoming.off("data", onData).pause();
      return done;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** node:http forgets a message once it is answered. A handler that still reads its body would wait for ever when the client leaves. */
function endWithConnection(incoming) {
  const { socket } = incoming;
  const onClose = () => void incoming.destroy(clientGone());
  socket.once("close", onClose);
  incoming.once("end", () => socket.off("close", onClose));
}

/** How long, and for how many bytes, what still arrives at the end of a connection is read and dropped. */
const LINGER_MS = 2000;
const LINGER_BYTES = 16 * 1024 * 1024;
const LINGER_CHECK_MS = 25;

/** Lets the connection linger behind the response to a request whose body still arrives. */
function lingerAtEnd(incoming) {
  const { socket } = incoming;
  // node:http calls this when it has handed the last response of a connection to the socket.
  socket.destroySoon = () => {
    socket.destroySoon = () => {};
    incoming.resume();
    linger(socket, incoming);
  };
}

/**
 * Ends our side, and drops what still arrives, within bounds. Closing a socket with unread bytes resets the connection, and the client
 * may lose a response that it has not read yet (RFC 9112 section 9.6).
 */
function linger(socket, incoming) {
  const bytes = socket.bytesRead + LINGER_BYTES;
  const end = performance.now() + LINGER_MS;
  socket.end();
  const timer = setInterval(() => {
    if (incoming?.complete || socket.bytesRead > bytes || performance.now() > end) socket.destroy();
  }, LINGER_CHECK_MS);
  socket.once("close", () => clearInterval(timer));
}

/** What the server knows of one connection: its newest request, how many wait for their answers, and since when no byte has moved. */

/**
 * node:http stops reading from a connection only once answers wait for the client. Until then a client that pipelines requests to a
 * slow handler would fill the memory. No honest client has as many in flight. One read can bring some two thousand.
 */
const MOST_IN_FLIGHT = 1000;

/** By the code of an error of node:http: what it can't read, or no longer waits for. */
const BROKEN = {
  ERR_HTTP_REQUEST_TIMEOUT: errorAnswer(408, "Request Timeout"),
  HPE_INVALID_VERSION: errorAnswer(505, "HTTP Version Not Supported"),
  HPE_HEADER_OVERFLOW: errorAnswer(431, "Request Header Fields Too Large"),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: errorAnswer(413, "The extensions of the body's chunks are too large."),
};

const MALFORMED = errorAnswer(400, "The request is malformed.");
/** On the socket itself: a look-up in a map costs more. */
const CONNECTION = Symbol("connection");

function connectionOf(socket) {
  socket[CONNECTION] ??= new Connection(socket);
  return socket[CONNECTION];
}

class Connection {
  /** The newest request, while the server has to remember it. */
  newest;
  socket;
  #inFlight = 0;
  #moved = 0;
  #quietSince = performance.now();

  constructor(socket) {
    this.socket = socket;
  }

  /** A request has arrived. */
  enter(exchange) {
    this.newest = exchange;
    this.#inFlight++;
    const socket = this.socket;
    // node:http resumes the socket at the end of each message, and for each body that is read.
    if (this.#inFlight === MOST_IN_FLIGHT) socket.on("resume", socket.pause).pause();
  }

  /** A request was answered. */
  leave() {
    this.#inFlight--;
    const socket = this.socket;
    if (this.#inFlight === MOST_IN_FLIGHT - 1) socket.off("resume", socket.pause).resume();
  }

  /**
   * Ends the connection if it has been idle since `idle`, and cuts it if its client has read nothing of a response since `unread`.
   *
   * @param isStopping otherwise the time-out of a request's head applies until the first byte.
   */
  endIfQuiet(idle, unread, isStopping) {
    const socket = this.socket;
    if (socket.bytesRead === 0 && !isStopping) return;
    const isUnread = socket.writableLength > 0;
    // Below zero, so that the number changes whenever the connection begins to wait for its client, or no longer does.
    const moved = isUnread ? -1 - bytesTaken(socket) : socket.bytesRead;
    if (moved !== this.#moved || (!isUnread && this.newest?.isOpen)) {
      this.#moved = moved;
      this.#quietSince = performance.now();
    } else if (this.#quietSince > (isUnread ? unread : idle)) return;
    else if (isUnread) socket.destroy();
    else socket.destroySoon();
  }

  /** Answers what node:http can't read, or cuts the connection. */
  refuseBroken(responder, { code = "" }) {
    const { newest } = this;
    const answer = BROKEN[code] ?? (code.startsWith("HPE_") ? MALFORMED : undefined);
    if (answer === undefined) this.socket.destroy();
    else if (newest === undefined || newest.isComplete) this.refuseNext(answer);
    // The broken part is this request's body. Its answer may be out already, at least in part.
    else if (newest.isAnswered) newest.cut();
    else {
      newest.close();
      responder.refuse(newest, answer);
    }
  }

  /** Refuses behind the responses that are out. If one is due, the connection ends behind it. */
  refuseNext({ status, headers, body }) {
    const { newest, socket } = this;
    if (newest?.isOpen) {
      newest.close();
      return;
    }
    // Nothing follows a response that has announced the end.
    if (newest?.isLast || !socket.writable) return;
    const { STATUS_CODES } = process.getBuiltinModule("node:http");
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nDate: ${new Date().toUTCString()}\r\nConnection: close`;
    const frame = `${headers[0]}: ${headers[1]}\r\nContent-Length: ${String(body).length}`;
    socket.resume().write(`${head}\r\n${frame}\r\n\r\n${body}`);
    linger(socket);
  }
}

/** How much of what was written the system has taken. The socket's own numbers change only once it has taken a whole write. */
function bytesTaken(socket) {
  // Undocumented, and only in Node.
  const { bytesWritten = socket.bytesWritten, writeQueueSize = socket.writableLength } = socket._handle ?? {};
  return bytesWritten - writeQueueSize;
}

/**
 * Ends the quiet connections, see {@link Connection.endIfQuiet}. A busy event loop first reads what has arrived meanwhile.
 *
 * @param idleLimit in milliseconds.
 */
function endQuiet({ connections, isDraining, responder }, idleLimit) {
  const now = performance.now();
  const unread = now - responder.settings.requestTimeout * 1000;
  setImmediate(() => {
    for (const connection of connections) connection.endIfQuiet(now - idleLimit, unread, isDraining);
  });
}

/**
 * What makes a small request cheaper than node:http alone does. Leaving one out costs, of the processor time of a request on Node 24:
 *
 * - the direct response: up to a seventh of a small GET (`npm run bench -- http --case root --case user`);
 * - lazy headers: an eighth of a GET with the thirteen headers of a browser (`npm run bench -- http --case browser`);
 * - the direct body, from Node 24.12 on: a tenth of a small POST (`npm run bench -- http --case item`).
 *
 * All three are off while anything watches the server, such as OpenTelemetry: it then sees what node:http alone would show.
 */

/** @param keepAlive the value of the Keep-Alive header. */
function createDirectServer(options, keepAlive) {
  // Not imported, so that a platform without node:http can load this file.
  const { createServer, IncomingMessage, ServerResponse } = process.getBuiltinModule("node:http");
  const { channel } = process.getBuiltinModule("node:diagnostics_channel");
  const { addListener, emit, on } = process.getBuiltinModule("node:events").prototype;
  const { prototype } = ServerResponse;
  const { end, writeHead } = prototype;
  // The node:http of Bun and of Deno is another one. A patched one is known by its source text, because `node --import otel.js` patches it
  // before any module of ours could keep the originals.
  const isPatched =
    "bun" in process.versions ||
    "deno" in process.versions ||
    !`${end}`.startsWith("function end(chunk, encoding, callback) {") ||
    !`${writeHead}`.startsWith("function writeHead(statusCode, reason, obj) {");
  const started = channel("http.server.request.start");
  const created = channel("http.server.response.created");
  const finished = channel("http.server.response.finish");
  const isWatched = () =>
    isPatched ||
    // Found on its class, of which OpenTelemetry patches it, or on the server itself.
    http.emit !== emit ||
    http.on !== on ||
    http.addListener !== addListener ||
    prototype.end !== end ||
    prototype.writeHead !== writeHead ||
    http.listenerCount("request") > 1 ||
    started.hasSubscribers ||
    created.hasSubscribers ||
    finished.hasSubscribers;
  const Message = isPatched ? IncomingMessage : directMessage(IncomingMessage, isWatched);
  const http = createServer({ ...options, IncomingMessage: Message });
  return { http, sendDirectly: createDirectSender(keepAlive, isWatched) };
}

/** Headers on which node:http acts. */
const ACTED_ON =
  /^(?:connection|content-length|date|expect|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;
/** What the value of a header may hold, if it is to be written together with a text in UTF-8. */
const IS_ASCII = /^[\t\x20-\x7e]*$/;

/**
 * The direct response: head and body go to the socket in one piece. node:http would store the headers one by one, and wait a turn of the
 * event loop to report the end. It still does the rest: a response that emits `finish` leaves the connection to the next one.
 */
function createDirectSender(keepAlive, isWatched) {
  const { STATUS_CODES } = process.getBuiltinModule("node:http");
  // The end of a head is the same text for all responses of a second (RFC 9110 section 6.6.1).
  let second = 0;
  let end = "";
  // Most responses of a server have the same status and headers: those of JSON.
  let last = { status: 0, headers: [] };
  let start;
  return (outgoing, method, answer, length, onSent) => {
    const { socket } = outgoing;
    const { status, headers } = answer;
    const text = method === "HEAD" ? "" : (answer.body ?? "");
    // A response that waits for its turn has no socket.
    if (!socket?.writable || socket.writableLength > 0 || typeof text !== "string") return false;
    if (!outgoing.shouldKeepAlive || outgoing.req.httpVersionMinor === 0 || isWatched()) return false;
    // What patches a request listener may have set some.
    if (outgoing.getHeaderNames().length > 0) return false;
    const reason = STATUS_CODES[status] ?? "unknown";
    if (headers !== last.headers || status !== last.status) {
      last = answer;
      start = formatStart(`HTTP/1.1 ${status} ${reason}\r\n`, headers);
    }
    if (start === undefined) return false;
    const bytes = contentLength(answer, method, length);
    const head = bytes === undefined ? start : `${start}Content-Length: ${bytes}\r\n`;
    const now = Date.now();
    if (now - (now % 1000) !== second) {
      second = now - (now % 1000);
      const date = new Date(now).toUTCString();
      end = `Keep-Alive: ${keepAlive}\r\nDate: ${date}\r\nConnection: keep-alive\r\n\r\n`;
    }
    // A text as long as its bytes is ASCII. Latin-1 is written without encoding it.
    socket.write(head + end + text, text.length === length ? "latin1" : "utf8");
    outgoing.statusCode = status;
    outgoing.statusMessage = reason;
    outgoing.finished = true;
    // Undocumented. A `PerformanceObserver` and Node's trace events get their entry from it.
    outgoing._finish?.();
    const finish = () => {
      outgoing.emit("finish");
      onSent();
    };
    if (socket.writableLength === 0 && socket.errored === null) finish();
    else socket.write("", (error) => error || finish());
    return true;
  };
}

/** @returns undefined if there is a header on which node:http acts. */
function formatStart(line, headers) {
  let lines = line;
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index];
    const value = headers[index + 1];
    if (ACTED_ON.test(name) || !TOKEN.test(name) || !IS_ASCII.test(value)) return undefined;
    lines += `${name}: ${value}\r\n`;
  }
  return lines;
}

/**
 * The values of one header, joined as in `IncomingMessage.headers` (RFC 9110 section 5.3).
 *
 * @param raw name, value, name, value, …
 * @param name in lower case.
 * @example readHeader(["Host", "a.example"], "host") // "a.example"
 */
function readHeader(raw, name) {
  let found;
  for (let index = 0; index < raw.length; index += 2) {
    const field = raw[index];
    if (field.length !== name.length || field.toLowerCase() !== name) continue;
    const value = raw[index + 1];
    found = found === undefined ? value : `${found}${name === "cookie" ? "; " : ", "}${value}`;
  }
  return found;
}

/** What node:http looks for in each request. It asks with `in`, so the object must not have what was not sent. */
function glance(raw) {
  const headers = {};
  for (const name of ["expect", "content-length", "transfer-encoding"]) {
    const value = readHeader(raw, name);
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}

/**
 * @returns the class of requests, with lazy headers and the direct body.
 *
 * Lazy headers: node:http makes an object of all headers of each request, just to look for three. It gets an object of these three, which
 * the entries of a `PerformanceObserver` have, too. We read the raw ones.
 *
 * The direct body is taken as node:http parses it. A stream would wait several turns of the event loop to hand over what has arrived.
 */
function directMessage(Base, isWatched) {
  const headers = Object.getOwnPropertyDescriptor(Base.prototype, "headers");
  const { _dumpAndCloseReadable: close } = Base.prototype;
  class Direct extends Base {
    glance;
    #listener;
    takeBody(listener) {
      if (close === undefined || isWatched() || this.complete || this.readableLength > 0) return false;
      this.#listener = listener;
      // Otherwise node:http would drop what comes behind an answer.
      this._read(0);
      return true;
    }
    push(chunk, encoding) {
      if (this.#listener === undefined) return super.push(chunk, encoding);
      this.#listener(chunk);
      if (chunk !== null) return true;
      close?.call(this);
      // node:http listens to the end of a message that is answered before it.
      this.emit("end");
      return false;
    }
  }
  Object.defineProperty(Direct.prototype, "headers", {
    ...headers,
    get() {
      if (this.glance === undefined && isWatched()) return headers?.get?.call(this);
      this.glance ??= glance(this.rawHeaders);
      return this.glance;
    },
  });
  return Direct;
}

/** Refuses what node:http lets through and a proxy may read differently (RFC 9112 sections 3.2 and 6.1). */

/** @returns a function that gives the answer to a request that must not reach the app. */
function createGuard() {
  // Nearly all requests to a server name the same host, and checking one takes a URL parser.
  let goodHost;
  // The parser before llhttp 9, as in the first Node 20.19, accepts header names that are not tokens (RFC 9112 section 5.1).
  const hasLooseNames = Number.parseInt(process.versions.llhttp ?? "", 10) < 9;
  return ({ rawHeaders, httpVersionMajor, httpVersionMinor, method, url = "" }) => {
    // node:http takes a request line without a version as HTTP/0.9.
    if (httpVersionMajor === 0) return errorAnswer(400, "The request line names no version of HTTP.");
    if (httpVersionMajor !== 1 || httpVersionMinor > 1) return errorAnswer(505, "HTTP Version Not Supported");
    if (hasLooseNames && rawHeaders.some((text, index) => index % 2 === 0 && !TOKEN.test(text)))
      return errorAnswer(400, "The request is malformed.");
    const host = readHeader(rawHeaders, "host");
    const coding = readHeader(rawHeaders, "transfer-encoding");
    if (host === undefined ? httpVersionMinor === 1 : host.includes(","))
      return errorAnswer(400, "There must be one Host header.");
    if (host !== goodHost && host !== undefined) {
      if (!isAuthority(host)) return errorAnswer(400, "The Host header is invalid.");
      goodHost = host;
    }
    if (coding !== undefined && (coding.toLowerCase() !== "chunked" || httpVersionMinor === 0))
      return errorAnswer(400, "The only supported transfer coding is chunked, over HTTP/1.1.");
    return isTarget(url, method) ? undefined : errorAnswer(400, "The request target is invalid.");
  };
}

/** The forms of a target (RFC 9112 section 3.2): `/path`, `*` for OPTIONS, `http://host/path`. */
function isTarget(url, method) {
  if (url.includes("#")) return false;
  if (url.startsWith("/")) return true;
  return url === "*" ? method === "OPTIONS" : isAuthority(splitAbsoluteForm(url)?.authority ?? "");
}

/** @example splitAbsoluteForm("http://a.example/b?c") // { authority: "a.example", target: "/b?c" } */
function splitAbsoluteForm(url) {
  if (url.startsWith("/")) return undefined;
  const [, authority, rest] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (authority === undefined || rest === undefined) return undefined;
  return { authority, target: rest.startsWith("/") ? rest : `/${rest}` };
}

/** Strict, because it becomes part of `request.url`: nothing in it may move the end of the host, such as `@` or `/`. */
function isAuthority(text) {
  return /^(?:[\w.~-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?$/.test(text) && URL.canParse(`http://${text}/`);
}

/** One request and its response on node:http: the request as the app reads it, and the answer written to the socket. */

class NodeExchange extends Exchange {
  #incoming;
  #outgoing;
  #connection;
  #state;
  /** The handler takes the body in pieces, so only the handler can bring it to its end. */
  #isInPieces = false;
  #hasLeft = false;
  #controller;

  constructor(incoming, outgoing, state) {
    const { method = "GET", url = "" } = incoming;
    // In origin form, or `*`. What can't be read stays as it is, and the router refuses it.
    super(method, splitAbsoluteForm(url)?.target ?? url);
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#connection = connectionOf(incoming.socket);
    this.#state = state;
    this.#connection.enter(this);
  }

  get origin() {
    // RFC 9112 section 3.2.2: the target's own host overrides the header. HTTP/1.0 may name none.
    return `http://${splitAbsoluteForm(this.#incoming.url ?? "")?.authority ?? this.header("host") ?? "localhost"}`;
  }

  get headers() {
    return joinHeaders(this.#incoming.rawHeaders);
  }

  header(name) {
    return readHeader(this.#incoming.rawHeaders, name);
  }

  get ip() {
    return this.#incoming.socket.remoteAddress ?? "";
  }

  get isGone() {
    return this.#hasLeft || this.#incoming.socket.destroyed;
  }

  get isDraining() {
    return this.#state.isDraining;
  }

  /** True until the whole response has gone to the socket. */
  get isOpen() {
    return !this.#outgoing.writableFinished;
  }

  /** True once it is answered, and its connection ends behind it. */
  get isLast() {
    return this.isAnswered && !this.#outgoing.shouldKeepAlive;
  }

  /** True once the whole request has arrived. */
  get isComplete() {
    return this.#incoming.complete || !this.hasBody;
  }

  get hasBody() {
    return (this.header("content-length") ?? this.header("transfer-encoding") ?? "0") !== "0";
  }

  get isTooLarge() {
    return Number(this.header("content-length") ?? 0) > this.#bodyLimit;
  }

  get #bodyLimit() {
    return this.#state.responder.settings.bodyLimit;
  }

  get signal() {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      this.#controller = controller;
      this.#onGone(() => controller.abort(clientGone()));
    }
    return this.#controller.signal;
  }

  read(parse) {
    const refusal = this.#refuseBody();
    return refusal ? Promise.reject(refusal) : readBody(this.#incoming, this.#bodyLimit, parse);
  }

  chunks() {
    const refusal = this.#refuseBody();
    if (refusal) throw refusal;
    this.#isInPieces = true;
    return readPieces(this.#incoming, this.#bodyLimit);
  }

  /** @returns an error if the body was dropped or is too large. */
  #refuseBody() {
    if (!this.isOpen) return bodyDropped();
    return this.isTooLarge ? bodyTooLarge(this.#bodyLimit) : undefined;
  }

  /** Ends the connection behind the response, which announces that if its head is not out yet. */
  close() {
    if (this.isLast) return;
    this.#outgoing.shouldKeepAlive = false;
    const { socket } = this.#incoming;
    if (!this.isOpen) socket.destroySoon();
    else if (this.isAnswered) this.#outgoing.once("finish", () => socket.destroySoon());
  }

  /** Ends the connection behind the response if that is whole, and within it otherwise. */
  cut() {
    if (this.#outgoing.writableEnded) this.close();
    // The responses before this one are due.
    else if (this.#outgoing.socket === null) this.#outgoing.once("socket", () => this.cut());
    else this.#incoming.socket.destroy();
  }

  abort(reason) {
    this.#hasLeft = true;
    this.#controller?.abort(reason);
  }

  send(answer) {
    if (this.isAnswered || this.#outgoing.destroyed) {
      discard(answer);
      return;
    }
    this.isAnswered = true;
    this.#connection.leave();
    const { body } = answer;
    if (isPlain(body)) this.#sendPlain(answer, body);
    else void this.#sendChunks(answer, body);
  }

  #sendPlain(answer, body) {
    const outgoing = this.#outgoing;
    const { sendDirectly, closesConnections } = this.#state;
    const length = body === null ? 0 : typeof body === "string" ? Buffer.byteLength(body) : body.length;
    const isKept = !closesConnections && this.isComplete;
    if (isKept && sendDirectly(outgoing, this.method, answer, length, () => this.#forget())) return;
    this.#writeHead(answer, length);
    if (body === null || this.method === "HEAD") outgoing.end();
    // A text as long as its bytes is ASCII. As Latin-1, node:http writes it in one piece with the head, without encoding it.
    else outgoing.end(body, length === body.length ? "latin1" : "utf8");
    if (outgoing.writableLength === 0) this.#forget();
  }

  /** Otherwise an idle connection would keep its last request in memory, with the body and what was made of it. */
  #forget() {
    if (this.#connection.newest === this && !this.isLast && this.isComplete)
      this.#connection.newest = undefined;
  }

  async #sendChunks(answer, chunks) {
    const outgoing = this.#outgoing;
    // One listener for the whole stream: with six for each chunk, 10 MB took 8.7 ms of processor time instead of 6.1 (Node 24).
    let onReady = () => {};
    outgoing.on("drain", () => onReady());
    this.#writeHead(answer, 0);
    // The head goes out with the first piece, if that comes at once.
    const flush = setImmediate(() => outgoing.flushHeaders());
    const stop = answer.isEndless ? this.#endAtStop(chunks) : undefined;
    this.#onGone(() => {
      stop?.();
      void chunks.cancel();
      onReady();
      // A source of events may wait for ever.
      if (answer.isEndless) this.cut();
    });
    try {
      for (let chunk = await chunks.next(); chunk !== undefined; chunk = await chunks.next()) {
        clearImmediate(flush);
        if (outgoing.writableEnded || outgoing.destroyed || this.#incoming.socket.destroyed) return;
        if (outgoing.write(chunk)) continue;
        await new Promise((resolve) => {
          onReady = resolve;
        });
      }
      // A cancelled stream ends, too. Its part must not look like the whole.
      if (this.#hasLeft) this.cut();
      else outgoing.end();
    } catch {
      // The error is logged. Only a cut connection can show the client that this is not all. What was written goes out before.
      setImmediate(() => this.cut());
    } finally {
      stop?.();
      clearImmediate(flush);
    }
  }

  /** Ends the stream when the server stops. @returns a function to call when it has ended before. */
  #endAtStop(chunks) {
    const { endless, isDraining } = this.#state;
    const stop = () => void endless.delete(end);
    const end = async () => {
      stop();
      const ended = chunks.cancel();
      this.#controller?.abort(serverStops());
      // Does not wait for a source alone, which may wait for ever.
      if (this.opened) await ended;
      this.#outgoing.end();
    };
    endless.add(end);
    if (isDraining) void end();
    return stop;
  }

  #writeHead(answer, length) {
    const incoming = this.#incoming;
    const outgoing = this.#outgoing;
    const headers = frameHeaders(answer, this.method, length);
    if (!this.isComplete) endWithConnection(incoming);
    if (this.#mustClose) {
      if (!this.isComplete) lingerAtEnd(incoming);
      headers.push("Connection", "close");
      outgoing.shouldKeepAlive = false;
    } else if (incoming.httpVersionMinor === 1) headers.push("Keep-Alive", this.#state.keepAlive);
    outgoing.writeHead(answer.status, headers);
  }

  get #mustClose() {
    if (!this.#outgoing.shouldKeepAlive) return true;
    // Behind an older request, the response to a later one would be lost with the connection.
    if (this.#state.closesConnections && this.#connection.newest === this) return true;
    // The rest of a body may be too long to read just to drop it.
    const isLong = this.#isInPieces || this.isTooLarge || this.header("transfer-encoding") !== undefined;
    return isLong && !this.isComplete;
  }

  /** A client that ends its side may still wait for the answer. So only code that must stop then listens to this. */
  #onGone(listener) {
    const { socket } = this.#incoming;
    const onGone = () => {
      this.#hasLeft = true;
      listener();
    };
    socket.once("end", onGone).once("close", onGone);
    this.#outgoing.once("finish", () => socket.off("end", onGone).off("close", onGone));
    if (socket.destroyed) onGone();
  }
}

/** Binds a server to an address, and to both loopback addresses when that is "localhost". */

/** "localhost" is 127.0.0.1 to one client and ::1 to the next. With port 0 both need the same free port, which can take some tries. */
const TRIES = 20;

/**
 * @param server of node:net or node:http. It gets the connections of both loopback addresses.
 * @throws the system's error, unchanged, when it can't be bound.
 */
async function listenOn(server, { host, port }) {
  if (host !== "localhost") return listening([server], host, await bind(server, host, port));
  const { createServer } = process.getBuiltinModule("node:net");
  // The options of a server are properties of it, although its types lack them.
  const { allowHalfOpen = false, pauseOnConnect = false, noDelay = false } = server;
  for (let tries = TRIES; ; tries--) {
    const twin = createServer({ allowHalfOpen, pauseOnConnect, noDelay }, (socket) =>
      server.emit("connection", socket),
    );
    try {
      // A system without IPv6 has the other one alone, which reports whatever else may be wrong.
      const bound = await bind(twin, "::1", port).catch((error) => {
        if (error.code === "EADDRINUSE") throw error;
        return port;
      });
      return listening([server, twin], host, await bind(server, "127.0.0.1", bound));
    } catch (error) {
      twin.close();
      if (error.code !== "EADDRINUSE" || port !== 0 || tries === 0) throw error;
    }
  }
}

/** @returns the port. */
async function bind(server, host, port) {
  const { once } = process.getBuiltinModule("node:events");
  await once(server.listen({ host, port }), "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

function listening(servers, host, port) {
  return {
    host,
    port,
    async close() {
      for (const server of servers) stopAccepting(server);
    },
    unref() {
      for (const server of servers) server.unref();
    },
  };
}

/** Not by an http server's own `close()`: it cuts idle connections, and with them the clients' next requests. */
function stopAccepting(server) {
  const { Server } = process.getBuiltinModule("node:net");
  // Bun's http server does not extend the one of node:net, and has only the close that cuts.
  if (server instanceof Server) Server.prototype.close.call(server);
  else server.close();
}

/** The open servers of this process, and what stops them: SIGTERM, SIGINT, an error that nobody caught, the death of a worker's primary. */

/** What the project leaves of the shutdown time-out to the process. */
const LAST_MOMENT_MS = 250;
/** With the app behind each. */
const openServers = new Map();
let isStopping = false;
let resolveFirst;

/** Resolves when the first server of this process is open. */
const firstServer = new Promise((resolve) => {
  resolveFirst = resolve;
});

/** True if a server of this process listens on the port. */
function isOpenAt(port) {
  return [...openServers.keys()].some((server) => server.port === port);
}

/** Closes every open server of this process, as the first signal does. */
async function closeServers() {
  await Promise.all([...openServers.keys()].map((server) => server.close()));
}

/** From the first server to the last, this listens to the process. */
function enterOpen(server, responder) {
  openServers.set(server, responder);
  resolveFirst();
  if (openServers.size > 1) return;
  process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  process.on("uncaughtException", onUncaught).on("unhandledRejection", onRejection);
  // Requests are answered although nobody reads the output any more (`| head`).
  for (const stream of [process.stdout, process.stderr]) stream.off("error", ignore).on("error", ignore);
  const worker = currentWorker();
  // node:cluster ends a worker at once when its primary dies. The worker can still finish what is in flight.
  worker?.once("disconnect", () => {
    worker.exitedAfterDisconnect = true;
    stopProcess();
  });
}

function ignore() {}

/** After the last server the process is as it was before the first, and ends by itself once it has nothing else to do. */
function leaveOpen(server) {
  openServers.delete(server);
  if (openServers.size > 0) return;
  process.off("uncaughtException", onUncaught).off("unhandledRejection", onRejection);
  if (isStopping && isWorker()) {
    // A second signal must not end the worker while the project closes what it has open, nor the channel alone keep it alive.
    process.channel?.unref();
    return;
  }
  process.off("SIGTERM", onSignal).off("SIGINT", onSignal);
  isStopping = false;
}

function onSignal(signal) {
  if (!isStopping) stopProcess();
  // A terminal and a service manager signal every process of a group, and the primary its workers: a worker gets one signal twice.
  else if (!isWorker()) {
    // The default action of a signal without a listener, so that whoever waits for the process sees what ended it.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
}

function stopProcess() {
  if (isStopping) return;
  isStopping = true;
  const limit = Math.max(...[...openServers.values()].map(({ settings }) => settings.shutdownTimeout)) * 1000;
  // Something else may keep the process alive, such as a connection to a database that the project never closes.
  setTimeout(() => process.exit(), Math.max(limit - LAST_MOMENT_MS, limit * 0.75)).unref();
  void closeServers();
}

/** What threw may have left anything half done, so the process does not go on. What is in flight is still answered. */
function onUncaught(error) {
  report("An error outside a request was not caught, so this process ends after its requests.", error);
  // Last of all, because the command that started the server may still set its own status.
  process.once("exit", () => {
    process.exitCode = 1;
  });
  stopProcess();
}

const REJECTED = "A promise was rejected and nobody handled it: is an await missing?";

/** A missing await breaks off one promise, and nothing else. The server goes on. */
function onRejection(reason) {
  report(REJECTED, reason);
}

function report(message, error) {
  const [owner] = openServers.values();
  owner?.log.error({ message, error });
}

/**
 * A server that listens, and how it stops without losing a request:
 *
 * 1. It accepts the connections in the backlog, stops listening, and ends the streams that may have no end.
 * 2. Each response then closes its connection, the health path answers 503, and a quiet connection is ended. At the time-out all are cut.
 * 3. `server.closed` resolves, and the project closes what it has open. The process ends when nothing keeps it alive, or
 *    shortly before the time-out (`process.ts`).
 */

/** A connection that has been quiet for so long has no request on its way to us. */
const QUIET_MS = 400;
const TICK_MS = 50;
/** What the connections leave of the shutdown time-out to the project. */
const CLOSING_MS = 500;
const LONGEST_ACCEPT_MS = 1000;
let wasClosedAsked = false;

/** True once the project has asked for the `closed` of a server of this process: it may have something to close. */
function isClosedAsked() {
  return wasClosedAsked;
}

/** Adds `close` and `closed` to the address of a server that listens, and keeps the process ready for signals while it is open. */
function openServer(address, state, stop) {
  let stopped;
  let close = () => {};
  const closed = new Promise((resolve) => {
    close = () => {
      // At once: the answer of the handler that closes the server is already the last of its connection.
      stopped ??= stop();
      resolve(stopped);
    };
  }).finally(() => leaveOpen(server));
  const server = {
    ...address,
    get closed() {
      wasClosedAsked = true;
      return closed;
    },
    close() {
      close();
      return closed;
    },
  };
  enterOpen(server, state.responder);
  return server;
}

/** @param stopAccepting closes what listens. */
async function drain(state, http, stopAccepting) {
  const { connections, endless, responder } = state;
  const limit = responder.settings.shutdownTimeout * 1000;
  const end = performance.now() + Math.max(limit - CLOSING_MS, limit / 2);
  state.isDraining = true;
  state.closesConnections = true;
  await acceptBacklog(http);
  const stopped = stopAccepting();
  // Their clients come back, and must not find this server.
  for (const endStream of endless) endStream();
  // An idle connection is not ended at once, because a request may be on its way.
  const quiet = performance.now() + QUIET_MS;
  while (connections.size + responder.running > 0 && performance.now() < end) {
    endQuiet(state, performance.now() > quiet ? QUIET_MS : Number.POSITIVE_INFINITY);
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  for (const { socket } of connections) socket.destroy();
  await stopped;
  // Stops the timer that looks for time-outs.
  http.close(() => undefined);
}

/**
 * The system resets the connections in its backlog when the server stops listening. A process accepts one connection in a turn of the
 * event loop, so this waits for a turn that brings none, but not for ever.
 */
async function acceptBacklog(http) {
  const { setImmediate: nextTurn } = process.getBuiltinModule("node:timers/promises");
  const end = performance.now() + LONGEST_ACCEPT_MS;
  let accepted = 0;
  const onConnection = () => void accepted++;
  http.on("connection", onConnection);
  // The rest of this turn comes after its look for connections.
  await nextTurn();
  for (let before = -1; accepted > before && performance.now() < end; await nextTurn()) before = accepted;
  http.off("connection", onConnection);
}

/** The adapter to node:http: creates a server, lets it listen, and serves. How it stops is in `stop.ts`. */

let transport = listenOn;

/** Replaces how the servers of this process get their connections. @returns the transport that was used before. */
function useTransport(next) {
  const before = transport;
  transport = next;
  return before;
}

let front = (app) => app;

/** Puts something in front of the apps that listen in this process from now on. */
function useFront(next) {
  front = next;
}

/**
 * Serves the app, by default at the address of its settings.
 *
 * @throws the system's error, unchanged, when it can't listen: `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`, `ENOTFOUND`, …
 */
async function listen(app, options = {}) {
  const { settings } = app;
  const host = options.host ?? settings.host;
  const responder = front(app, host);
  const serverOptions = toOptions(settings);
  const keepAlive = `timeout=${Math.floor(settings.keepAliveTimeout)}`;
  const { http, sendDirectly } = createDirectServer(serverOptions, keepAlive);
  const state = {
    responder,
    connections: new Set(),
    keepAlive,
    sendDirectly,
    endless: new Set(),
    isDraining: false,
    closesConnections: responder.closesConnections === true,
  };
  followConnections(http, state);
  answerRequests(http, state);
  const bound = await transport(http, { host, port: options.port ?? settings.port });
  const { connectionsCheckingInterval } = serverOptions;
  const clock = setInterval(endQuiet, connectionsCheckingInterval, state, settings.keepAliveTimeout * 1000);
  clock.unref();
  const url = formatUrl({ host, port: bound.port });
  const server = openServer({ url, host: bound.host, port: bound.port }, state, () => {
    clearInterval(clock);
    return drain(state, http, () => bound.close?.());
  });
  // Whoever replaced the transport knows better where clients reach the server. Of several workers at one address, the primary logs it.
  const { shutdownTimeout } = settings;
  if (transport === listenOn && !tellPrimary({ framework: "listening", url, shutdownTimeout }))
    responder.log.info({ message: `Listening on ${url}` });
  return server;
}

/**
 * The URL that a person can open, which a wildcard address is not.
 *
 * @example formatUrl({ host: "0.0.0.0", port: 8000 }) // "http://localhost:8000"
 */
function formatUrl({ host, port }) {
  const isWildcard = host === "" || host === "0.0.0.0" || host === "::";
  const name = isWildcard ? "localhost" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

function followConnections(http, { connections }) {
  // By default node:http drops a client that has ended its side. It may still wait for its answer.
  Object.assign(http, { httpAllowHalfOpen: true });
  // With a limit, node:http would silently drop the headers beyond it, before the guard sees them. Their size has a limit.
  http.maxHeadersCount = 0;
  http.on("connection", (socket) => {
    const connection = connectionOf(socket);
    connections.add(connection);
    socket.once("close", () => connections.delete(connection));
    // node:http leaves a socket with a CONNECT to us, with its errors.
    socket.on("error", () => {});
    // Any number of requests can wait on it for their turn, and each listens.
    socket.setMaxListeners(0);
  });
}

const UNEXPECTED = errorAnswer(417, "The only supported expectation is 100-continue.");
const NO_TUNNEL = errorAnswer(501, "Not Implemented");

function answerRequests(http, state) {
  const { responder } = state;
  const guard = createGuard();
  const serve = (incoming, outgoing, refusal = guard(incoming), expectsContinue = false) => {
    // RFC 9112 section 9.6: what has arrived behind the last request of a connection is not served, as its answer would be lost.
    if (connectionOf(incoming.socket).newest?.isLast) return;
    const exchange = new NodeExchange(incoming, outgoing, state);
    if (refusal !== undefined) {
      exchange.close();
      responder.refuse(exchange, refusal);
      return;
    }
    if (expectsContinue) {
      // RFC 9110 section 10.1.1: the client waits for a 100. While other responses are due, that would come within them.
      if (exchange.isTooLarge || outgoing.socket === null) exchange.close();
      else outgoing.writeContinue();
    }
    responder.respond(exchange);
  };
  http.on("request", (incoming, outgoing) => serve(incoming, outgoing));
  http.on("checkContinue", (incoming, outgoing) => serve(incoming, outgoing, undefined, true));
  http.on("checkExpectation", (incoming, outgoing) => serve(incoming, outgoing, UNEXPECTED));
  http.on("connect", ({ socket }) => {
    const connection = connectionOf(socket);
    // node:http no longer serves the socket, so what is still due can't be sent.
    if (connection.newest?.isOpen) socket.destroy();
    else connection.refuseNext(NO_TUNNEL);
  });
  http.on("clientError", (error, socket) => connectionOf(socket).refuseBroken(responder, error));
}

/** The settings are in seconds. */
function toOptions({ headersTimeout, keepAliveTimeout, requestTimeout }) {
  // node:http refuses to start when the time-out of the headers is the longer one.
  const forHeaders = Math.min(headersTimeout, requestTimeout) * 1000;
  return {
    requestTimeout: requestTimeout * 1000,
    headersTimeout: forHeaders,
    // `endQuiet` costs a request nothing; node:http would set a timer and clear it again.
    keepAliveTimeout: 0,
    // How often both look for what takes too long.
    connectionsCheckingInterval: Math.max(10, Math.min(250, forHeaders / 4, keepAliveTimeout * 250)),
    // The guard checks it, and says more. node:http would silently drop a second Host header.
    requireHostHeader: false,
    // From Node 24.12 on: a request without a body costs no stream, 10 to 15 % of a GET. Older types don't know it.
    optimizeEmptyRequests: true,
  };
}

/** What to say when the app can't listen on an address. */

/** @returns undefined when the error is not about listening. */
function adviseOnListenError(error) {
  if (!(error instanceof Error)) return undefined;
  const { syscall = "", code, hostname = "", address = hostname, port = 0 } = error;
  // "bind" is what a worker of node:cluster gets.
  if (!/^(?:listen|bind|getaddrinfo)$/.test(syscall) || address === "") return undefined;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return new Problem(
      `${address} is not an address of this machine.`,
      "Set --host, HOST or [server] host to one: localhost for this machine alone, 0.0.0.0 for all its addresses.",
    );
  if (code === "EACCES")
    return new Problem(
      `This user may not listen on port ${port}.`,
      "Ports below 1024 often need a privilege. Choose a higher one with --port.",
    );
  if (code !== "EADDRINUSE") return undefined;
  if (isOpenAt(port))
    return new Problem(
      `This app listens on port ${port} already.`,
      "Call `app.listen()` once. A second address needs a port of its own: `app.listen({ port: 8001 })`.",
    );
  const tool = process.platform === "win32" ? "netstat -ano | findstr :" : "lsof -nP -sTCP:LISTEN -iTCP:";
  return new Problem(
    `Port ${port} is in use by another program.`,
    `\`${tool}${port}\` tells which. End it, or choose another port, as in --port ${(port % 65535) + 1}.`,
  );
}

export {
  Connection,
  NodeExchange,
  REJECTED,
  adviseOnListenError,
  closeServers,
  connectionOf,
  createDirectServer,
  createGuard,
  drain,
  endQuiet,
  endWithConnection,
  enterOpen,
  firstServer,
  formatUrl,
  isAuthority,
  isClosedAsked,
  isOpenAt,
  leaveOpen,
  linger,
  lingerAtEnd,
  listen,
  listenOn,
  openServer,
  readBody,
  readHeader,
  readPieces,
  splitAbsoluteForm,
  useFront,
  useTransport,
};
