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

/**
 * @returns the class, with `headers` of which node:http makes its object when somebody asks for another than those that it looks for
 * itself: something that instruments node:http, because we read the raw ones.
 */
export function withLazyHeaders(Message: typeof IncomingMessage): typeof IncomingMessage {
  const { get: makeHeaders, set: setHeaders } =
    Object.getOwnPropertyDescriptor(Message.prototype, "headers") ?? {};
  if (makeHeaders === undefined || setHeaders === undefined) return Message;
  class LazyMessage extends Message {
    #view: LazyMessage | undefined;
    #isMade = false;

    static {
      Object.defineProperty(LazyMessage.prototype, "headers", {
        get(this: LazyMessage) {
          if (this.#isMade) return this.#make();
          this.#view ??= new Proxy(this, LazyMessage.#traps);
          return this.#view;
        },
        set(this: LazyMessage, headers: IncomingHttpHeaders) {
          this.#isMade = true;
          setHeaders.call(this, headers);
        },
      });
    }

    static readonly #traps: ProxyHandler<LazyMessage> = {
      get: (message, name) =>
        message.#isReadRaw(name) ? readHeader(message.rawHeaders, name) : Reflect.get(message.#make(), name),
      has: (message, name) =>
        message.#isReadRaw(name)
          ? readHeader(message.rawHeaders, name) !== undefined
          : Reflect.has(message.#make(), name),
      set: (message, name, value) => Reflect.set(message.#make(), name, value),
      deleteProperty: (message, name) => Reflect.deleteProperty(message.#make(), name),
      defineProperty: (message, name, member) => Reflect.defineProperty(message.#make(), name, member),
      ownKeys: (message) => Reflect.ownKeys(message.#make()),
      getOwnPropertyDescriptor: (message, name) => Reflect.getOwnPropertyDescriptor(message.#make(), name),
      getPrototypeOf: (message) => Reflect.getPrototypeOf(message.#make()),
    };

    #isReadRaw(name: PropertyKey): name is string {
      return !this.#isMade && LOOKED_FOR.has(name);
    }

    #make(): IncomingHttpHeaders {
      this.#isMade = true;
      return makeHeaders?.call(this);
    }
  }
  return LazyMessage;
}
