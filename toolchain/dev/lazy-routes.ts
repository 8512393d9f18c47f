/** Loads the handlers of a project under dev: each module when a request first needs it, and the rest while nobody asks. */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { HOOKS_FILE } from "#convention/layout";
import type { Project } from "#convention/project";
import type { TypedRoute } from "#convention/wire/typed-route";
import type { BoundRoute } from "#runtime/app";
import { chainHooks } from "#runtime/hooks/hooks";
import { HttpError } from "#runtime/message/errors";
import { type BoundRoutes, toProjectError } from "../load/load.ts";
import { ProjectError } from "../load/project-error.ts";
import { splitProject, toRoute } from "../load/project-functions.ts";
import { loadPathChecks } from "../load/wire.ts";

/** Loads the modules of a part of a project, and binds its routes. Rejects with a {@link ProjectError} as `bindRoutes` does. */
export type Bind = (part: Project) => Promise<BoundRoutes>;

type Bound = ReadonlyMap<TypedRoute, BoundRoute>;

export class LazyRoutes {
  /** The files that could not be loaded. */
  readonly failed: Set<string> = new Set();
  readonly #project: Project;
  readonly #bind: Bind;
  /** By the file that serves their routes, in the order in which production loads the files. */
  readonly #parts: ReadonlyMap<string, Project>;
  readonly #bound = new Map<string, Promise<Bound>>();
  readonly #diagnostics: Diagnostic[] = [];
  /** What requests wait for. */
  #asked: Promise<unknown> = Promise.resolve();

  constructor(project: Project, bind: Bind) {
    this.#project = project;
    this.#bind = bind;
    this.#parts = splitProject(project);
  }

  /**
   * @param isFirst tells which files are loaded before anything is answered.
   * @returns the routes. A request for one whose file is not loaded yet has it loaded.
   * @throws {ProjectError} when one of the files can't be loaded: then with all that can't be.
   */
  async load(isFirst: (file: string) => boolean): Promise<BoundRoutes> {
    const { files, routes } = this.#project;
    // The hooks of the root are around what no route serves, too.
    const root = {
      ...this.#project,
      apps: [],
      files: files.filter((file) => file === HOOKS_FILE),
      routes: [],
    };
    const { unmatched } = (await this.#collect(HOOKS_FILE, this.#bind(root))) ?? {};
    for (const file of this.#parts.keys()) if (isFirst(file)) await this.#collect(file, this.#boundOf(file));
    if (this.#diagnostics.length > 0) await this.loadRest(() => false);
    const loaded = new Map<TypedRoute, BoundRoute>();
    for (const bound of this.#bound.values())
      for (const [typed, route] of await bound) loaded.set(typed, route);
    const findCheck = await loadPathChecks(this.#project);
    const postpone = (typed: TypedRoute): BoundRoute => this.#postpone(typed, findCheck(typed));
    return { routes: routes.map((typed) => loaded.get(typed) ?? postpone(typed)), unmatched };
  }

  /**
   * Loads what is not loaded yet, so that each mistake is found.
   *
   * @param isOver becomes true when nobody needs it any more.
   * @throws {ProjectError} with all that can't be loaded.
   */
  async loadRest(isOver: () => boolean): Promise<void> {
    for (const file of this.#parts.keys()) {
      // Loading a module can take milliseconds in which nobody else is answered.
      await this.#asked;
      await new Promise((resolve) => setImmediate(resolve));
      if (isOver()) return;
      await this.#collect(file, this.#boundOf(file));
    }
    if (this.#diagnostics.length > 0) throw toProjectError(this.#project.root, this.#diagnostics);
  }

  async #collect<T>(file: string, loading: Promise<T>): Promise<T | undefined> {
    try {
      return await loading;
    } catch (error) {
      if (!(error instanceof ProjectError)) throw error;
      if (!this.failed.has(file)) this.#diagnostics.push(...error.diagnostics);
      this.failed.add(file);
      return undefined;
    }
  }

  #boundOf(file: string): Promise<Bound> {
    const known = this.#bound.get(file);
    const part = this.#parts.get(file);
    if (known || part === undefined) return known ?? Promise.resolve(new Map());
    const bound = this.#bind(part).then(
      ({ routes }) => new Map(routes.map((route, index) => [part.routes[index] as TypedRoute, route])),
    );
    this.#bound.set(file, bound);
    return bound;
  }

  /** @returns a route that becomes the real one when the first request has had its file loaded. */
  #postpone(typed: TypedRoute, check: Pick<BoundRoute, "fits">): BoundRoute {
    const postponed: BoundRoute = {
      ...check,
      route: toRoute(typed),
      ...(typed.limits && { limits: typed.limits }),
      // The hooks come first.
      handler: () => {},
      hooks: async (app, exchange, run) => {
        try {
          Object.assign(postponed, { hooks: undefined, serve: undefined }, await this.#ask(typed));
        } catch (error) {
          return app.failure(error, exchange);
        }
        return (postponed.hooks ?? chainHooks([]))(app, exchange, run);
      },
    };
    return postponed;
  }

  async #ask(typed: TypedRoute): Promise<BoundRoute | undefined> {
    const asked = this.#boundOf(typed.module);
    this.#asked = Promise.allSettled([this.#asked, asked]);
    try {
      return (await asked).get(typed);
    } catch (error) {
      // The supervisor will answer the same as soon as the rest is loaded.
      throw error instanceof ProjectError
        ? new HttpError(500, { error: "The project is not served.", detail: error.message })
        : error;
    }
  }
}
