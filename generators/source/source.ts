/** Adds handlers to a source file, or writes a new one: with their imports, in the file's own layout. */

import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { applyEdits } from "#convention/source/edits";
import { bodyBlueprint, type HandlerBlueprint, handlerBlueprint, typesOf } from "./blueprints.ts";
import { freeName } from "./body-names.ts";
import { insertBlock } from "./edits.ts";
import { type FrameworkType, formatImport, planImports } from "./imports.ts";
import { isUnreadable, type Outline, readOutline, type Unreadable } from "./outline.ts";
import { applyStyle, detectStyle, type Style } from "./style.ts";

/** The text of a new file with these handlers. */
export function createSource(handlers: readonly HandlerBlueprint[], style: Style): string {
  const types = typesOf(handlers);
  const names = new Map(types.map((type) => [type, type]));
  const head = types.length === 0 ? [] : [`${formatImport(types)}\n`];
  const blocks = handlers.flatMap((handler) => toBlocks(handler, names));
  return applyStyle([...head, ...blocks].join("\n"), style);
}

/**
 * The text of a file with the handlers added at its end.
 *
 * @param fallback decides what the file itself does not show.
 * @returns the text, or why they can't be added.
 */
export function extendSource(
  file: string,
  text: string,
  handlers: readonly HandlerBlueprint[],
  fallback: Style,
): string | Diagnostic {
  const outline = readOutline(text);
  if (isUnreadable(outline)) return diagnoseUnreadable(file, outline);
  const taken = diagnoseTaken(file, outline, handlers, "handler");
  if (taken !== undefined) return taken;
  const style = detectStyle(text, fallback);
  const added = handlers.map((handler) => withFreeBody(handler, outline));
  return addHandlers(text, outline, added, style);
}

/** Reports the first function whose name the file has for something else. @param kind of function, for the hint. */
export function diagnoseTaken(
  file: string,
  { bindings, unexported }: Outline,
  functions: readonly { readonly name: string }[],
  kind: string,
): Diagnostic | undefined {
  const taken = functions.find(({ name }) => bindings.has(name));
  if (taken === undefined) return undefined;
  const isUnexported = unexported.has(taken.name);
  const found = isUnexported ? "an unexported function" : "something else";
  const details = {
    what: `${file} already has ${found} named \`${taken.name}\``,
    hint: isUnexported
      ? `Write \`export\` before it if it is the ${kind}; if not, rename one of the two.`
      : `Rename that, or choose another name for the ${kind}.`,
  };
  return diagnose("FW608", details, { file, line: bindings.get(taken.name) ?? 1, column: 1 });
}

/** The text with the handlers at its end and what they need imported. */
function addHandlers(
  text: string,
  outline: Outline,
  handlers: readonly HandlerBlueprint[],
  style: Style,
): string {
  const types = typesOf(handlers);
  const imports = planImports(text, outline, types, style);
  const blocks = handlers.flatMap((handler) => toBlocks(handler, imports.names));
  const isBare = outline.firstStatement === text.length;
  const head = isBare && types.length > 0 ? [`${formatImport(types)}\n`] : [];
  const block = applyStyle([...head, ...blocks].join("\n"), style);
  return applyEdits(text, [...(isBare ? [] : imports.edits), insertBlock(text, text.length, block, style)]);
}

/** The handler with the interface of its body above it. */
function toBlocks(handler: HandlerBlueprint, names: ReadonlyMap<FrameworkType, string>): readonly string[] {
  const { body } = handler;
  const above = body === undefined ? [] : [bodyBlueprint(body, names)];
  return [...above, handlerBlueprint(handler, names)];
}

/** The handlers of one command have bodies of different names. */
function withFreeBody(handler: HandlerBlueprint, { bindings }: Outline): HandlerBlueprint {
  const { body } = handler;
  if (body === undefined) return handler;
  return { ...handler, body: { ...body, type: freeName(body.type, (name) => bindings.has(name)) } };
}

export function diagnoseUnreadable(file: string, { reason, line, column }: Unreadable): Diagnostic {
  const details = {
    file,
    why: `it has a syntax error (${reason.replace(/\.$/, "")})`,
    hint: "Fix it, and run the command again.",
  };
  return diagnose("FW612", details, { file, line, column });
}
