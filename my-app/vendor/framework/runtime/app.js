import {
  hasHeader,
  explainLost,
  bodyOf,
  HttpError,
  answerFetch,
  isThenable,
  toAnswer,
  isResponse,
  errorAnswer,
  isPlain,
  startChunks,
  endSoon,
  emptyAnswer,
  hasFailure,
  httpErrorAnswer,
  answersItself,
  nameOf,
  jsonAnswer,
  requestOf,
  joinHeaders,
  TEXT_HEADERS,
} from "./message.js";
import { formatLogEvent, consoleLog, isProbe, isError, formatThrown } from "./log.js";
import { listen } from "./node.js";
import { createRouter, methodsServed } from "./routing.js";

/** What the log has of a request: its line, its place in the project, and the id that its response, errors and proxies share. */

const REQUEST_ID = "x-request-id";
/** Letters, digits and what ids of other systems contain; nothing that means something to a log or a header. */
const WELL_FORMED = /^[\w.:=+/@-]{1,128}$/;

/** Gives the request an id: the client's own `x-request-id` if it is well formed, otherwise a new one. */
function identify(exchange) {
  const given = exchange.header(REQUEST_ID);
  exchange.id = given !== undefined && WELL_FORMED.test(given) ? given : crypto.randomUUID();
}

function logRequest(log, { status }, { began, id, method, path, route }) {
  const event = { message: "", method, path, status, duration: performance.now() - began };
  log.info(Object.assign(event, route && { route: route.pattern }, id && { id }));
}

/** What happened to a request, with its place in the project. */
function toEvent(message, { id, method, path, route }) {
  const place = route && { route: route.pattern, handler: route.handler, location: route.location };
  return { message, method, path, ...place, ...(id && { id }) };
}

/** Adds the id, unless the handler has set one itself. */
function withRequestId(answer, id) {
  const { headers } = answer;
  if (hasHeader(headers, REQUEST_ID)) return answer;
  return { ...answer, headers: [...headers, "X-Request-Id", id] };
}

/** Looks at what handlers and hooks give for an answer, for what JSON silently drops: a promise that nobody awaited. */

/** @param strict each such result is an error. Otherwise it is logged once a route, where a `{}` is in the JSON. */
function createResultCheck(strict, log) {
  const logged = new Set();
  return (holder, result, { body }, exchange) => {
    // For 10 kB, JSON.stringify takes 45 µs, the search for `{}` 1 µs, and the walk 15 µs.
    if (typeof body !== "string" || (!strict && (!body.includes("{}") || logged.has(exchange.route))))
      return undefined;
    const problem = explainLost(holder, bodyOf(result));
    if (problem === undefined) return undefined;
    logged.add(exchange.route);
    const event = toEvent(problem, exchange);
    log.error(event);
    return strict ? new HttpError(500, formatLogEvent(event)) : undefined;
  };
}

/** The handlers that the app waits for, and one clock that finds those that take too long: a timer for each would cost more. */

class RunningHandlers {
  #exchanges = new Set();
  #limit;
  #onOverdue;
  #clock;

  /** @param limit milliseconds that a handler may take; 0 is no limit. */
  constructor(limit, onOverdue) {
    this.#limit = limit;
    this.#onOverdue = onOverdue;
  }

  /** How many have not ended yet. */
  get size() {
    return this.#exchanges.size;
  }

  enter(exchange) {
    this.#exchanges.add(exchange);
    // Already set if requests are logged.
    exchange.began ||= performance.now();
    if (this.#clock !== undefined || this.#limit === 0) return;
    this.#clock = setInterval(() => this.#giveUpOverdue(), Math.min(250, this.#limit / 4));
    // The clock must not keep a process alive. Not every platform that speaks fetch has `unref`.
    this.#clock.unref?.();
  }

  leave(exchange) {
    this.#exchanges.delete(exchange);
  }

  /** Stops the clock when no handler is running. */
  #giveUpOverdue() {
    const latest = performance.now() - this.#limit;
    for (const exchange of this.#exchanges) {
      if (exchange.began > latest) continue;
      this.leave(exchange);
      this.#onOverdue(exchange);
    }
    if (this.size > 0) return;
    clearInterval(this.#clock);
    this.#clock = undefined;
  }
}

/** The path of a request through the app: find its route, call the handler, turn the result into an answer. */

function createCoreApp(routes, options) {
  const core = new Core(routes, options);
  return {
    fetch: (input, init) => answerFetch(core, input, init),
    listen: (where) => listen(core, where),
    routes: routes.map((bound) => bound.route),
  };
}

class Core {
  settings;
  log;
  #options;
  #router;
  #methods;
  #check;
  #logsRequests;
  #running;
  /** How many requests are closing what their providers have opened. */
  #closing = 0;

  constructor(routes, options) {
    const { settings, log = consoleLog, dev = false, strict = false } = options;
    this.settings = settings;
    this.log = log;
    this.#options = options;
    this.#router = createRouter(routes);
    this.#methods = methodsServed(routes.map(({ route }) => route)).join(", ");
    this.#check = createResultCheck(strict, log);
    this.#logsRequests = dev || settings.accessLog;
    this.#running = new RunningHandlers(settings.handlerTimeout * 1000, (late) => this.#giveUp(late));
  }

  get running() {
    return this.#running.size + this.#closing;
  }

  respond(exchange) {
    try {
      const { method, path } = exchange;
      // 1. A health probe is answered before all else, and not logged: one each second would hide the other requests.
      if (isProbe(this.settings.health, method, path)) {
        exchange.send(this.#share(exchange.isDraining ? STOPPING : HEALTHY, exchange));
        return;
      }
      // 2. If requests are logged, this one gets its start time and its id.
      this.#begin(exchange);
      // 3. A preflight is answered by the settings of CORS alone.
      const preflight = this.#options.cors?.preflight(exchange, () => this.#methodsAt(path));
      if (preflight !== undefined) {
        this.#sendWhole(preflight, exchange);
        return;
      }
      // 4. The router finds the route for the method and the path.
      const found = this.#router.find(method, path);
      // 5. The hooks, the guards, the providers and the handler run, and the result becomes an answer. Without a route it is an error.
      const answer =
        found.kind === "match" ? this.#answerMatch(found, exchange) : this.#answerMiss(found, exchange);
      // 6. The answer is sent: in the same turn, unless something has to be awaited.
      if (answer instanceof Promise) void this.#sendLate(answer, exchange);
      else this.#send(answer, exchange);
    } catch (error) {
      // 7. What was thrown is answered by its own status, or logged and answered with 500.
      this.#answerThrown(error, exchange);
    }
  }

  refuse(exchange, answer) {
    this.#begin(exchange);
    this.#send(answer, exchange);
  }

  #begin(exchange) {
    // A request that breaks off is refused after it has begun.
    if (!this.#logsRequests || exchange.began > 0) return;
    exchange.began = performance.now();
    if (this.settings.accessLog) identify(exchange);
  }

  #answerMatch({ item, values }, exchange) {
    exchange.route = item.route;
    exchange.values = values;
    if (item.hooks === undefined) return this.#answer(item, exchange);
    return item.hooks(this, exchange, () => {
      // After `handler_timeout` the client has its answer, a 503, and nothing more is called for it.
      if (exchange.givenUp !== undefined) throw exchange.givenUp;
      return this.#answer(item, exchange);
    });
  }

  #answerMiss(found, exchange) {
    const { docs, unmatched } = this.#options;
    const shown = docs?.(exchange);
    if (shown !== undefined) return shown;
    const answer = this.#miss(found, exchange);
    return unmatched === undefined ? answer : unmatched(this, exchange, () => throwRefusal(answer));
  }

  /** @returns a promise only if something has to be awaited. */
  #answer(item, exchange) {
    const result = callHandler(item, exchange);
    if (isThenable(result)) return this.#finish(result, exchange, item.look);
    const answer = this.#toAnswer(result, exchange, HANDLER, item.look);
    return isReady(answer) ? answer : this.#finish(result, exchange, item.look, answer);
  }

  /** Waits for a handler's promise, for a stream to start, and for providers. @param made the answer, if the result is not a promise. */
  async #finish(result, exchange, look, made) {
    try {
      const answer = made ?? this.#toAnswer(await result, exchange, HANDLER, look);
      const ready = isReady(answer) ? answer : await this.#start(answer, exchange);
      const { opened } = exchange;
      return opened === undefined ? ready : await opened.finish(ready, this.#watch(exchange));
    } catch (error) {
      const { opened } = exchange;
      throw opened === undefined ? error : await opened.fail(error, this.#watch(exchange));
    }
  }

  /** Looks at what handlers and hooks give, once and in this place. @param look of the route, for a handler's result. */
  #toAnswer(result, exchange, giver, look) {
    const answer = toAnswer(result, giver);
    const refusal = this.#check(`${giver} returned`, result, answer, exchange);
    if (refusal !== undefined) throw refusal;
    return look === undefined ? answer : look(answer);
  }

  async #sendLate(answer, exchange) {
    this.#running.enter(exchange);
    try {
      this.#send(await answer, exchange);
      this.#running.leave(exchange);
    } catch (error) {
      this.#running.leave(exchange);
      this.#answerThrown(error, exchange);
    }
  }

  /** Counts a closing, because the server waits for it when it stops. Logs an error that no response can carry any more. */
  #watch(exchange) {
    return async (closing) => {
      this.#closing++;
      try {
        await closing;
      } catch (error) {
        if (exchange.isAnswered || exchange.isGone)
          this.#record("A provider failed after the handler.", error, exchange);
      }
      this.#closing--;
    };
  }

  /** A response is the answer, thrown or returned. */
  #answerThrown(thrown, exchange) {
    if (isResponse(thrown)) void this.#sendLate(this.#finish(thrown, exchange), exchange);
    else this.#send(this.failure(thrown, exchange), exchange);
  }

  #giveUp(exchange) {
    const error = new DOMException("The handler took longer than [server] handler_timeout.", "TimeoutError");
    this.report("The handler took too long and was given up.", error, exchange);
    this.#send(errorAnswer(503, "Service Unavailable"), exchange);
    exchange.givenUp = error;
    exchange.abort(error);
    exchange.start?.abort(error);
    void exchange.opened?.fail(error, this.#watch(exchange));
  }

  startAnswer(result, exchange, giver) {
    return this.#start(this.#toAnswer(result, exchange, giver), exchange);
  }

  async #start(answer, exchange) {
    const { body, headers, isBare = false, isEndless = false, length } = answer;
    if (isPlain(body)) return { ...answer, body };
    const onError = (error) => {
      this.report("The stream failed, so the response was cut off.", error, exchange);
    };
    // Not the request's signal: it aborts when a client ends its side, although the client may still wait for the answer.
    if (isBare) exchange.start = new AbortController();
    const started = await startChunks(body, { isEndless, length, until: exchange.start?.signal, onError });
    const typed = { ...answer, headers: isBare && started.isText ? asText(headers) : headers };
    if (isPlain(started.body) || exchange.method !== "HEAD") return { ...typed, body: started.body };
    const ended = endSoon(started.body);
    if (exchange.opened) await ended;
    return { ...typed, body: null };
  }

  #send(answer, exchange) {
    this.#sendWhole(this.#share(answer, exchange), exchange);
  }

  #share(answer, exchange) {
    const { cors } = this.#options;
    return cors === undefined ? answer : cors.share(answer, exchange);
  }

  /** Sends an answer to which only the request's id may have to be added. */
  #sendWhole(answer, exchange) {
    if (this.#logsRequests && !exchange.isAnswered) logRequest(this.log, answer, exchange);
    exchange.send(exchange.id === undefined ? answer : withRequestId(answer, exchange.id));
  }

  /** @returns undefined where nothing serves the path. */
  #methodsAt(path) {
    const found = this.#router.find("", path);
    return found.kind === "wrong-method" ? found.allow : undefined;
  }

  #miss(found, { method, path }) {
    const isOptions = method === "OPTIONS";
    if (found.kind === "bad-path")
      return isOptions && path === "*"
        ? emptyAnswer(204, ["Allow", this.#methods])
        : errorAnswer(400, found.reason);
    const allow = found.kind === "wrong-method" ? found.allow.join(", ") : undefined;
    if (allow !== undefined && isOptions) return emptyAnswer(204, ["Allow", allow]);
    const { explainMiss } = this.#options;
    const detail = explainMiss && { detail: explainMiss(method, path) };
    if (allow !== undefined) return errorAnswer(405, "Method Not Allowed", ["Allow", allow], detail);
    return detail === undefined ? NOT_FOUND : errorAnswer(404, "Not Found", [], detail);
  }

  /** @returns the answer to what was thrown. It is logged unless it is an answer by itself, without a failure behind it. */
  failure(error, exchange) {
    const isAnError = isError(error);
    if (isAnError && error instanceof HttpError) {
      if (hasFailure(error)) this.report(`The handler failed with a ${error.status}.`, error, exchange);
      const answer = httpErrorAnswer(error);
      const refusal = this.#check("The HttpError holds", error.body, answer, exchange);
      return refusal === undefined ? answer : httpErrorAnswer(refusal);
    }
    const hint = answersItself(error) ? " Return it instead." : "";
    const what = isAnError ? "failed." : `threw ${nameOf(error)}, not an Error.${hint}`;
    this.report(`The handler ${what}`, error, exchange);
    const more = this.#options.dev ? { stack: formatThrown(error) } : {};
    return errorAnswer(500, "Internal Server Error", [], more);
  }

  report(message, error, exchange) {
    // A client that leaves causes errors by leaving, and nobody waits for an answer.
    if (!exchange.isGone) this.#record(message, error, exchange);
  }

  #record(message, error, exchange) {
    this.log.error({ ...toEvent(message, exchange), error });
  }
}

const HANDLER = "The handler";
const NOT_FOUND = errorAnswer(404, "Not Found");
const HEALTHY = jsonAnswer(200, { status: "ok" });
const STOPPING = errorAnswer(503, "The server is stopping.");

/** Makes the request object only for a handler that asks for it, and calls the usual signatures without an array. */
function callHandler({ handler, route, serve }, exchange) {
  if (serve !== undefined) return serve(handler, exchange);
  // The signature was read from the source text. Nothing at run time could check it.
  const call = handler;
  const { arguments: order } = route;
  switch (order.length) {
    case 0:
      return call();
    case 1:
      return call(toValue(order[0], exchange));
    case 2:
      return call(toValue(order[0], exchange), toValue(order[1], exchange));
    default:
      return call(...order.map((argument) => toValue(argument, exchange)));
  }
}

function toValue(argument, exchange) {
  return typeof argument === "number" ? exchange.values[argument] : requestOf(exchange);
}

/** Throws it as an error, so that the hooks can answer it. The automatic answer to OPTIONS is not one. */
function throwRefusal(answer) {
  const { status, headers, body } = answer;
  if (status < 400) return answer;
  throw new HttpError(status, JSON.parse(String(body)), { headers: joinHeaders(headers) });
}

/** @param headers of a bare stream: its type is the first, before those that a `reply` adds. */
function asText(headers) {
  return [...TEXT_HEADERS, ...headers.slice(TEXT_HEADERS.length)];
}

function isReady(answer) {
  return isPlain(answer.body);
}

/** What is found wrong in a user's project, and the error that carries it. */

/** Answers for the contract and its docs page: texts that exist before anybody asks for them. */

/** What is sent of each file that somebody has asked for. */
const bodies = new WeakMap();
const ALLOW = ["Allow", "GET, HEAD, OPTIONS"];

/** @example createDocs({ "/openapi.json": { text: "{}", headers: ["ETag", '"1"'], tag: '"1"' } }) */
function createDocs(files) {
  const byPath = new Map(Object.entries(files));
  return (exchange) => {
    const file = byPath.get(exchange.path);
    if (file === undefined) return undefined;
    if (exchange.method === "OPTIONS") return emptyAnswer(204, ALLOW);
    if (exchange.method !== "GET" && exchange.method !== "HEAD")
      return errorAnswer(405, "Method Not Allowed", ALLOW);
    return typeof file === "function"
      ? file().then((made) => answer(made, exchange))
      : answer(file, exchange);
  };
}

function answer(file, exchange) {
  const { headers, tag, text } = file;
  if (hasTag(exchange.header("if-none-match") ?? "", tag)) return emptyAnswer(304, headers);
  const body = bodies.get(file) ?? toBody(text);
  bodies.set(file, body);
  return { status: 200, headers, body };
}

/**
 * A text is encoded for each answer, which for `page.js` (61 kB) took 127 µs of 198 µs of processor time. An ASCII text is not, and the
 * server writes it faster than bytes. Measured with: wrk -t1 -c8 -d2s http://localhost:8000/docs/page.js
 */
function toBody(text) {
  const bytes = new TextEncoder().encode(text);
  return bytes.length === text.length ? text : bytes;
}

/** RFC 9110 section 13.1.2: by weak comparison, because a proxy that compresses weakens the tag. */
function hasTag(wanted, tag) {
  return wanted.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === tag);
}

/** What the command that starts a process decides for the app in it. `createApp` reads this state of the process. */

let launch = {};

function setLaunch(next) {
  launch = { ...launch, ...next };
}

function currentLaunch() {
  return launch;
}

/** Puts other functions in place of a project's providers and guards, for its tests. A server that replaces none has no code for it. */

/**
 * For `createApp({ providers })`: has another function called in place of a provider or a guard. Nothing that only the replaced function
 * takes is asked of a request.
 *
 * @param provider the function that the project exports.
 * @returns takes the substitute, which is called without arguments.
 * @example const app = await createApp({ providers: [replace(currentUser).with(() => ({ name: "Ada" }))] });
 */
function replace(provider) {
  // Apart from the substitute, whose literals then have the types that the provider's have.
  return { with: (substitute) => new Replacement(provider, substitute) };
}

/** What `replace(…).with(…)` returns. */
class Replacement {
  #provider;
  #substitute;

  /** @internal */
  constructor(provider, substitute) {
    this.#provider = provider;
    this.#substitute = substitute;
  }

  /**
   * Applies all of them at once, because one may be needed by another alone. A method, so that the app needs no function from here.
   *
   * @throws {Error} for a function that no route calls.
   * @internal
   */
  "~apply"(routes, all) {
    const called = new Set(routes.flatMap(({ serve }) => serve?.parts?.calls.map(({ run }) => run) ?? []));
    for (const { name } of all.map((one) => one.#provider).filter((provider) => !called.has(provider)))
      throw new Error(
        `createApp() can't replace ${name || "a function without a name"}: no route calls it as a provider or a guard.`,
      );
    const substitutes = new Map(all.map((one) => [one.#provider, one.#substitute]));
    return routes.map((route) =>
      route.serve?.parts ? { ...route, serve: withSubstitutes(route.serve.parts, substitutes) } : route,
    );
  }
}

function withSubstitutes(parts, substitutes) {
  const { inputs, calls, provided, toServe } = parts;
  const needed = findNeeded(parts, substitutes);
  const changed = calls.map((call, index) => {
    // It keeps its place, because the others are given values by place.
    if (!needed.has(index)) return { ...call, kind: "provider", run: () => undefined };
    const run = substitutes.get(call.run);
    return run === undefined ? call : { ...call, run };
  });
  const callInputs = changed.map((call, index) =>
    call === calls[index] ? inputs.calls?.[index] : undefined,
  );
  return toServe({ ...inputs, calls: callInputs }, changed, provided);
}

/** @returns the indices of the calls that are still made: what a substitute has no use for is left out. */
function findNeeded({ calls, provided }, substitutes) {
  const needed = new Set();
  const need = (index) => {
    const call = calls[index];
    if (call === undefined || needed.has(index)) return;
    needed.add(index);
    if (!substitutes.has(call.run)) call.provided.forEach(need);
  };
  for (const [index, { kind }] of calls.entries()) if (kind === "guard") need(index);
  provided.forEach(need);
  return needed;
}

/** The project of a process that was started from source. A file of its own, because a build leaves it out with all that it loads. */

/** Test runners set these. What a test imports must not take the port of a server that is running. */
const RUNNERS = ["VITEST", "JEST_WORKER_ID", "NODE_TEST_CONTEXT"];

async function loadFromSource(_isWhole, stack) {
  const { settings, ...project } = await (await import("../tools/serve.js")).loadProject(stack);
  const isTest = RUNNERS.some((name) => process.env[name] !== undefined);
  return { ...project, settings: isTest ? { ...settings, host: "127.0.0.1", port: 0 } : settings };
}

export {
  Replacement,
  RunningHandlers,
  createCoreApp,
  createDocs,
  createResultCheck,
  currentLaunch,
  identify,
  loadFromSource,
  logRequest,
  replace,
  setLaunch,
  toEvent,
  withRequestId,
};
