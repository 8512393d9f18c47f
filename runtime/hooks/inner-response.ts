/** The response that `next()` gives: an answer of ours, of which a WHATWG response is made only as far as a middleware looks at it. */

import type { Answer } from "../message/result.ts";
import { FlatHeaders } from "./flat-headers.ts";
import { type Bytes, InnerBody } from "./inner-body.ts";

/**
 * Has all members of the WHATWG class, and is an `instanceof` it. A function of the platform that looks inside of its own class, such
 * as `cache.put`, needs `new Response(response.body, response)`.
 */
export class InnerResponse implements Response {
  readonly #answer: Answer;
  #headers: FlatHeaders | undefined;
  #body: InnerBody | undefined;
  #isSent = false;

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  /** Not by `extends`: the platform's constructor takes as long as a request. */
  static inherit(): void {
    Object.setPrototypeOf(InnerResponse.prototype, Response.prototype);
    FlatHeaders.inherit();
  }

  get status(): number {
    return this.#answer.status;
  }

  get ok(): boolean {
    return this.status < 300;
  }

  get statusText(): string {
    return "";
  }

  get type(): "default" {
    return "default";
  }

  get url(): string {
    return "";
  }

  get redirected(): boolean {
    return false;
  }

  get headers(): Headers {
    this.#headers ??= new FlatHeaders(this.#answer.headers, this.#answer.length);
    return this.#headers;
  }

  get body(): ReadableStream<Bytes> | null {
    return this.#touch().stream;
  }

  get bodyUsed(): boolean {
    return this.#touch().isUsed;
  }

  text(): Promise<string> {
    return this.#touch().text();
  }

  // biome-ignore lint/suspicious/noExplicitAny: as in the WHATWG class.
  async json(): Promise<any> {
    return JSON.parse(await this.text());
  }

  bytes(): Promise<Bytes> {
    return this.#touch().bytes();
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).buffer;
  }

  async blob(): Promise<Blob> {
    return (await this.#toWeb()).blob();
  }

  async formData(): Promise<FormData> {
    return (await this.#toWeb()).formData();
  }

  /** One of the platform's own class. */
  clone(): Response {
    return new Response(this.#touch().copy(), { status: this.status, headers: this.headers });
  }

  /** What to send: the middleware has returned this. Rejects if a stream was read in part, or is being read. */
  toAnswer(): Answer | Promise<Answer> {
    this.#isSent = true;
    return this.#body === undefined ? this.#withHeaders(this.#answer) : this.#takeBody(this.#body);
  }

  /** The middleware has returned something else. Perhaps it still reads this, or sends its stream. */
  drop(): void {
    this.#touch().drop();
  }

  /** The middleware has failed. */
  cut(): void {
    this.#touch().cut();
  }

  async #toWeb(): Promise<Response> {
    return new Response(await this.bytes(), { headers: this.headers });
  }

  #touch(): InnerBody {
    this.#body ??= new InnerBody(this.#answer.body, this.#isSent);
    return this.#body;
  }

  async #takeBody(body: InnerBody): Promise<Answer> {
    return this.#withHeaders({ ...this.#answer, body: await body.take() });
  }

  #withHeaders(answer: Answer): Answer {
    return this.#headers === undefined ? answer : { ...answer, headers: this.#headers.toFlat() };
  }
}
