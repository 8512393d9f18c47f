/**
 * Reads of a request's headers only those that somebody asks for. node:http makes an object of all of them for each request, just to
 * look for three: with the thirteen headers of a browser that takes an eighth of the processor time.
 */

import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

/**
 * The values of one header, joined as in `IncomingMessage.headers` (RFC 9110 section 5.3).
 *
 * @param raw name, value, name, value, …
 * @param name in lower case.
 * @example readHeader(["Host", "a.example"], "host") // "a.example"
 */
export function readHeader(raw: readonly string[], name: string): string | undefined {
  let found: string | undefined;
  for (let index = 0; index < raw.length; index += 2) {
    const field = raw[index] as string;
    if (field.length !== name.length || field.toLowerCase() !== name) continue;
    const value = raw[index + 1] as string;
    found = found === undefined ? value : `${found}${name === "cookie" ? "; " : ", "}${value}`;
  }
  return found;
}

/** What node:http looks for in each request. */
const LOOKED_FOR: ReadonlySet<PropertyKey> = new Set(["expect", "content-length", "transfer-encoding"]);

// By symbols, so that an object that inherits from a message has them, too.
const IS_SHOWN: unique symbol = Symbol("shows its headers to others than node:http");
const VIEW: unique symbol = Symbol("view of the headers");
type LazyMessage = IncomingMessage & { [IS_SHOWN]: boolean; [VIEW]: object | undefined };

/**
 * @returns the class, with `headers` of which node:http makes its object only once the request is shown to others: to what subscribes
 * to its channel, and to what listens to its server. We read the raw ones.
 */
export function withLazyHeaders(Message: typeof IncomingMessage): typeof IncomingMessage {
  const { get: make, set } = Object.getOwnPropertyDescriptor(Message.prototype, "headers") ?? {};
  if (make === undefined || set === undefined) return Message;
  const starts = process.getBuiltinModule("node:diagnostics_channel").channel("http.server.request.start");
  class Lazy extends Message {
    [IS_SHOWN] = false;
    [VIEW]: object | undefined;
  }
  Object.defineProperty(Lazy.prototype, "headers", {
    get(this: LazyMessage) {
      if (this[IS_SHOWN] || starts.hasSubscribers) return make.call(this);
      this[VIEW] ??= new Proxy(new View(this), TRAPS);
      return this[VIEW];
    },
    set(this: LazyMessage, headers: IncomingHttpHeaders) {
      this[IS_SHOWN] = true;
      set.call(this, headers);
    },
  });
  return Lazy;
}

/** What an event of a server comes with: a request, or something else. */
export interface MaybeLazy {
  [IS_SHOWN]?: boolean;
}

/** From here on, what reads the headers of a request gets the object that node:http makes. */
export function showHeaders(request: MaybeLazy | undefined): void {
  if (request?.[IS_SHOWN] === false) request[IS_SHOWN] = true;
}

/** What node:http sees of the headers. A `PerformanceObserver` gets it from there. */
class View {
  readonly message: LazyMessage;

  constructor(message: LazyMessage) {
    this.message = message;
  }

  make(): IncomingHttpHeaders {
    showHeaders(this.message);
    return this.message.headers;
  }

  /** Otherwise the console would show the whole message. It calls what it gets here with the proxy as `this`. */
  get [Symbol.for("nodejs.util.inspect.custom")](): () => IncomingHttpHeaders {
    return () => this.make();
  }
}

function isReadRaw({ message }: View, name: PropertyKey): name is string {
  return !message[IS_SHOWN] && LOOKED_FOR.has(name);
}

/** Nothing is set through it. */
const TRAPS: ProxyHandler<View> = {
  get: (view, name) =>
    isReadRaw(view, name) ? readHeader(view.message.rawHeaders, name) : Reflect.get(view.make(), name),
  has: (view, name) =>
    isReadRaw(view, name)
      ? readHeader(view.message.rawHeaders, name) !== undefined
      : Reflect.has(view.make(), name),
  ownKeys: (view) => Reflect.ownKeys(view.make()),
  getOwnPropertyDescriptor: (view, name) => Reflect.getOwnPropertyDescriptor(view.make(), name),
};
