/**
 * Instead of `handlebars` in the bundle: its runtime alone, without the compiler, which takes a sixth of the time of making a
 * project. The templates are compiled when the bundle is made, and found by their text.
 */

import type Handlebars from "handlebars";
import untyped from "handlebars/runtime.js";
import { unescapeHandlebars } from "../../template.ts";

/** Written into the bundle: see bundle.ts. */
declare const COMPILED_TEMPLATES: Readonly<Record<string, TemplateSpecification>>;

type Runtime = Pick<typeof Handlebars, "template" | "registerHelper">;

/** Its own declaration says that it exports nothing. */
const runtime = untyped as unknown as Runtime;

type Render = (view: unknown) => string;

/** The engine also makes each target path a template, as our `slash` gave it: that one needs no compiler. */
function compile(text: string): Render {
  const compiled = COMPILED_TEMPLATES[text];
  return compiled === undefined ? () => unescapeHandlebars(text) : runtime.template(compiled);
}

const standIn: Pick<Runtime, "registerHelper"> & { compile: typeof compile } = {
  compile,
  registerHelper: runtime.registerHelper.bind(runtime),
};
export default standIn;
