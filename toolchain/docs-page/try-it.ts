/** The form that sends a request, and shows it as `curl` and as a call of the client. */

import { makeBodyField } from "./body-field.ts";
import { makeCode } from "./copy.ts";
import { givenCredentials, makeCredentialFields, schemesOf } from "./credentials.ts";
import type { Api, Operation, Parameter } from "./document.ts";
import { type Child, freshId, make } from "./element.ts";
import { type Field, makeChoice, makeField } from "./field.ts";
import { makeOutcome } from "./outcome.ts";
import { type Draft, formatCall, formatCurl, toRequest } from "./request.ts";

/** @param base the URL of the folder that the document is in. */
export function makeTryIt(operation: Operation, api: Api, base: string): HTMLElement {
  const { parameters = [], requestBody } = operation;
  const schemes = schemesOf(operation, api);
  const server = makeServer(api, base);
  const fields = parameters.map((parameter) => ({ parameter, field: makeParameter(parameter, api) }));
  const body = requestBody && makeBodyField(requestBody, api);
  const [curl, call, outcome, id] = [
    makeCode("curl"),
    makeCode("Client"),
    makeOutcome(operation.id),
    freshId(),
  ];
  const form = make(
    "form",
    server.element,
    makeCredentialFields(schemes),
    fields.map(({ field }) => field.element),
    body?.element,
    make("div.actions", make("button.main", "Send"), outcome.stop),
  );
  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void outcome.send(toRequest(read()));
  });
  update();
  const shown = [make("h2", { id }, "Try it"), form, outcome.element, curl.element, call.element];
  return make("section.try", { "aria-labelledby": id }, shown);

  function read(): Draft {
    const given = fields.map(({ parameter, field }) => {
      return { parameter, texts: field.texts(), isObject: field.isObject };
    });
    const credentials = givenCredentials(schemes);
    return { operation, server: server.url(), given, credentials, body: body?.body() };
  }

  function update(): void {
    const draft = read();
    curl.show(formatCurl(toRequest(draft)));
    call.show(formatCall(draft));
  }
}

const COOKIE_HINT = "Only curl sends it: a browser sends its own cookies.";

function makeParameter({ name, schema, in: place, required }: Parameter, api: Api): Field {
  const note = required ? `${place}, required` : place;
  const hint = place === "cookie" ? { hint: COOKIE_HINT } : {};
  return makeField({ name, schema, note, isNeeded: place === "path", ...hint }, api);
}

/** The server that somebody has chosen last. */
let chosen = "";

function makeServer({ document }: Api, base: string): { readonly element: Child; url(): string } {
  const urls = (document.servers ?? []).map(({ url }) => toServerUrl(url, base));
  // That which gave the page is always there to try.
  const all = [...new Set([...urls, toServerUrl("/", base)])];
  const { select, element } = makeChoice("Server", all);
  if (all.includes(chosen)) select.value = chosen;
  select.addEventListener("change", () => {
    chosen = select.value;
  });
  return { element, url: () => select.value };
}

/** A server at `/` is where the document is, even behind a proxy that has put a path before it. */
export function toServerUrl(url: string, base: string): string {
  return new URL(url === "/" ? "." : url, base).href.replace(/\/$/, "");
}
