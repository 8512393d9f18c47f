/**
 * Loads the handlers of a project part by part, under dev: before anything is answered only what has to be, then what each request
 * needs, and all the rest behind that.
 */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { HOOKS_FILE } from "#convention/layout";
import type { Project } from "#convention/project";
import type { TypedRoute } from "#convention/wire/typed-route";
import type { BoundRoute, Handler } from "#runtime/app";
import { chainHooks } from "#runtime/hooks/hooks";
import { HttpError } from "#runtime/message/errors";
import { type BoundRoutes, toProjectError } from "../load/load.ts";
import { ProjectError } from "../load/project-error.ts";
import { projectModules, splitProject, toRoute } from "../load/project-functions.ts";

export interface Loaders {
  /** Loads the modules of a part, and binds its routes, in their order. Rejects with a {@link ProjectError} as `bindRoutes` does. */
  bind(part: Project): Promise<BoundRoutes>;
  /** Loads a module for what it does. Rejects with a {@link ProjectError}. */
  run(file: string): Promise<void>;
}

type Bound = ReadonlyMap<TypedRoute, BoundRoute>;

export class Parts {
  readonly #project: Project;
  readonly #loaders: Loaders;
  /** By the file that serves their routes. */
  readonly #parts: ReadonlyMap<string, Project>;
  /** The same, of those that are loaded or are being loaded. */
  readonly #bound = new Map<string, Promise<Bound>>();
  readonly #diagnostics: Diagnostic[] = [];
  readonly #failed = new Set<string>();
  /** What requests wait for. */
  #asked: Promise<unknown> = Promise.resolve();

  constructor(project: Project, loaders: Loaders) {
    this.#project = project;
    this.#loaders = loaders;
    this.#parts = splitProject(project);
  }

  /** The files that could not be loaded. */
  get failed(): readonly string[] {
    return [...this.#failed];
  }

  /**
   * @param first the files to load before anything is answered, in their order; undefined for all, in the order of production.
   * @returns the routes. A request for one whose part is not loaded yet has it loaded.
   * @throws {ProjectError} when one of the files can't be loaded: then with all that can't be.
   */
  async load(first: readonly string[] | undefined): Promise<BoundRoutes> {
    const { routes, files } = this.#project;
    const needed = first ?? projectModules(this.#project).map(({ file }) => file);
    // To bind a part can load more, such as its providers: all that can tell is loaded by then.
    for (const file of needed) await this.#collect(file, this.#loaders.run(file));
    // The hooks of the root are around what no route serves, too.
    const root = {
      ...this.#project,
      apps: [],
      files: files.filter((file) => file === HOOKS_FILE),
      routes: [],
    };
    const outside = await this.#collect(HOOKS_FILE, this.#loaders.bind(root));
    for (const file of needed) await this.#load(file);
    if (this.#diagnostics.length > 0) await this.loadRest(() => false);
    const bound = new Map<TypedRoute, BoundRoute>();
    for (const part of this.#bound.values()) for (const [typed, route] of await part) bound.set(typed, route);
    return {
      routes: routes.map((typed) => bound.get(typed) ?? this.#postpone(typed)),
      unmatched: outside?.unmatched,
    };
  }

  /**
   * Loads what is not loaded yet.
   *
   * @param isOver becomes true when nobody needs it any more.
   * @throws {ProjectError} with all that can't be loaded.
   */
  async loadRest(isOver: () => boolean): Promise<void> {
    for (const file of this.#parts.keys()) {
      await this.#asked;
      // Loading a module can take milliseconds in which nobody else is answered.
      await new Promise((resolve) => setImmediate(resolve));
      if (isOver()) return;
      await this.#load(file);
    }
    if (this.#diagnostics.length > 0) throw toProjectError(this.#project.root, this.#diagnostics);
  }

  async #load(file: string): Promise<void> {
    const part = this.#parts.get(file);
    if (part) await this.#collect(file, this.#bind(file, part));
  }

  /** Keeps what is wrong, until all is known. */
  async #collect<T>(file: string, loading: Promise<T>): Promise<T | undefined> {
    try {
      return await loading;
    } catch (error) {
      if (!(error instanceof ProjectError)) throw error;
      this.#failed.add(file);
      this.#diagnostics.push(...error.diagnostics);
      return undefined;
    }
  }

  #bind(file: string, part: Project): Promise<Bound> {
    const before = this.#bound.get(file);
    if (before) return before;
    const bound = this.#loaders
      .bind(part)
      .then(({ routes }) => new Map(routes.map((route, index) => [part.routes[index] as TypedRoute, route])));
    this.#bound.set(file, bound);
    return bound;
  }

  /** @returns a route that becomes the real one when the first request has had its part loaded. */
  #postpone(typed: TypedRoute): BoundRoute {
    const postponed: BoundRoute = {
      route: toRoute(typed),
      handler: NOT_LOADED,
      hooks: async (app, exchange, run) => {
        try {
          const { hooks, serve, handler } = await this.#ask(typed);
          Object.assign(postponed, { hooks, serve, handler });
        } catch (error) {
          return app.failure(error, exchange);
        }
        return (postponed.hooks ?? chainHooks([]))(app, exchange, run);
      },
    };
    return postponed;
  }

  async #ask(typed: TypedRoute): Promise<BoundRoute> {
    const part = this.#parts.get(typed.module);
    if (part === undefined) throw new Error(`${typed.module} serves no route.`);
    const asked = this.#bind(typed.module, part);
    this.#asked = Promise.allSettled([this.#asked, asked]);
    try {
      const bound = (await asked).get(typed);
      if (bound === undefined) throw new Error(`${typed.module} does not serve ${typed.pattern}.`);
      return bound;
    } catch (error) {
      // The supervisor will answer the same as soon as the rest is loaded.
      throw error instanceof ProjectError
        ? new HttpError(500, { error: "The project is not served.", detail: error.message })
        : error;
    }
  }
}

const NOT_LOADED: Handler = () => {
  throw new Error("The handler is not loaded yet.");
};
