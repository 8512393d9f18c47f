/** Instead of handlebars: its runtime alone. The build compiles the templates, and they are found by how they begin. See README.md. */

import type Handlebars from "handlebars";
import untyped from "handlebars/runtime.js";
import { beginningOf } from "../../template.ts";

/** The build writes it into the bundle: see bundle.ts. */
declare const COMPILED_TEMPLATES: Readonly<Record<string, TemplateSpecification>>;

type Runtime = Pick<typeof Handlebars, "template" | "registerHelper">;

/** Its own declaration says that it exports nothing. */
const runtime = untyped as unknown as Runtime;

type Render = (view: unknown) => string;

/** The engine also compiles each target path. A path is not a template, even if a folder is called `{{name}}`. */
function compile(text: string): Render {
  const compiled = COMPILED_TEMPLATES[beginningOf(text)];
  return compiled === undefined ? () => text : runtime.template(compiled);
}

const standIn: Pick<Runtime, "registerHelper"> & { compile: typeof compile } = {
  compile,
  registerHelper: runtime.registerHelper.bind(runtime),
};
export default standIn;
