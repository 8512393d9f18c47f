/** Shows one operation: what it takes and what it answers, and beside it the form that tries it. */

import { describeCredentials } from "./credentials.ts";
import type { Answer, Api, Body, Content, Operation, Parameter } from "./document.ts";
import { resolve } from "./document.ts";
import { type Child, fill, formatPath, make } from "./element.ts";
import { showProse } from "./prose.ts";
import { showConstraints, showNote, showSchema, showType } from "./schema-view.ts";
import { makeTryIt } from "./try-it.ts";

const PLACES = [
  ["path", "Path"],
  ["query", "Query"],
  ["header", "Headers"],
  ["cookie", "Cookies"],
] as const;

export function showOperation(operation: Operation, api: Api, base: string): Child {
  const { requestBody, responses = {} } = operation;
  const answers = Object.entries(responses).sort(([one], [other]) => placeOf(one) - placeOf(other));
  const taken = make(
    "div",
    showParameters(operation, api),
    requestBody && showBody(requestBody, api),
    make("h2", "Responses"),
    answers.map(([status, answer], at) => showAnswer(status, answer, api, at === 0)),
  );
  return [showHead(operation, api), make("div.columns", taken, makeTryIt(operation, api, base))];
}

function showHead(operation: Operation, api: Api): Child {
  const { method, path, group, summary, deprecated, description } = operation;
  const address = [make("span.method", method), " ", make("code", formatPath(path))];
  const [credentials, hasReason] = [
    describeCredentials(operation, api),
    description?.includes("Deprecated: "),
  ];
  return make(
    "header",
    make("p.quiet", group),
    make(summary ? "h1" : "h1.address", { tabindex: "-1" }, summary ?? address),
    summary !== undefined && make("p.address", address),
    deprecated && !hasReason && make("p.notice", make("strong", "Deprecated."), " It may go away."),
    showProse(description),
    credentials !== undefined && make("p.quiet", credentials),
  );
}

/** @example placeOf("4XX") // 499.5 */
function placeOf(status: string): number {
  return status === "default" ? 1000 : Number(status.replaceAll("X", "9")) + (status.includes("X") ? 0.5 : 0);
}

function showParameters({ parameters = [] }: Operation, api: Api): Child {
  const tables = PLACES.map(([place, title]) => {
    const inside = parameters.filter((one) => one.in === place);
    return inside.length > 0 && showTable(title, inside, api);
  });
  return parameters.length > 0 && [make("h2", "Parameters"), tables];
}

/** The roles keep it a table where the style sheet makes blocks of its cells, on narrow screens. */
function showTable(title: string, parameters: readonly Parameter[], api: Api): Child {
  const head = ["Name", "Value"].map((text) => make("th", { role: "columnheader", scope: "col" }, text));
  const rows = parameters.map((parameter) => showRow(parameter, api));
  return make(
    "table",
    { role: "table" },
    make("caption", title),
    make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, head)),
    make("tbody", { role: "rowgroup" }, rows),
  );
}

function showRow({ name, required, schema, description, deprecated }: Parameter, api: Api): Child {
  const resolved = resolve(schema, api);
  const notes = [showNote(required ? "required" : "optional"), deprecated && showNote("deprecated")];
  const value = [showType(schema), showConstraints(resolved), showProse(description ?? resolved.description)];
  return make(
    "tr",
    { role: "row" },
    make("th", { role: "rowheader", scope: "row" }, make("code.name", name), notes),
    make("td", { role: "cell" }, value),
  );
}

function showBody({ content, required, description }: Body, api: Api): Child {
  const notes = [showNote(formatMedias(content)), !required && showNote("optional")];
  return [make("h2", "Body", notes), showProse(description), showContent(content, api)];
}

/** The media type that says nothing. */
const ANYTHING = "*/*";
const SHORT: Readonly<Record<string, string>> = { [ANYTHING]: "anything", "application/json": "JSON" };

function showContent(content: Content, api: Api): Child {
  const medias = Object.entries(content).filter(([media]) => media !== ANYTHING);
  return medias.map(([media, { schema }]) => [
    medias.length > 1 && make("p.media", make("code", media)),
    showSchema(schema, api),
  ]);
}

function formatMedias(content: Content): string {
  const medias = Object.keys(content).map((media) => SHORT[media] ?? media);
  return medias.join(", ") || "no body";
}

/** Its schema is made when it is opened. */
function showAnswer(status: string, answer: Answer, api: Api, isOpen: boolean): HTMLElement {
  const { content = {}, description, headers = {} } = answer;
  const title = status === "default" ? "Any other" : status;
  const inside = make("div");
  const summary = make(
    "summary",
    make("h3", make("code.status", title), " ", description ?? ""),
    make("span.quiet", formatMedias(content)),
  );
  const details = make("details", { open: isOpen }, summary, inside);
  const open = (): void => {
    if (details.open && inside.childElementCount === 0)
      fill(inside, showHeaders(headers), showContent(content, api));
  };
  details.addEventListener("toggle", open);
  open();
  return details;
}

function showHeaders(headers: NonNullable<Answer["headers"]>): Child {
  const names = Object.keys(headers);
  const codes = names.flatMap((name, at) => [at === 0 ? "" : ", ", make("code", name)]);
  return names.length > 0 && make("p", names.length === 1 ? "With the header " : "With the headers ", codes);
}
