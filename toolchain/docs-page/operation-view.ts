/** Shows one operation: what it takes and what it answers, and beside it the form that tries it. */

import { describeCredentials } from "./credentials.ts";
import type { Answer, Api, Content, Operation, Parameter } from "./document.ts";
import { resolve } from "./document.ts";
import { type Child, fill, formatPath, make } from "./element.ts";
import { showProse } from "./prose.ts";
import { showConstraints, showNote, showSchema, showType } from "./schema-view.ts";
import { makeTryIt } from "./try-it.ts";

const PLACES: Readonly<Record<Parameter["in"], string>> = {
  path: "Path",
  query: "Query",
  header: "Headers",
  cookie: "Cookies",
};

export function showOperation(operation: Operation, api: Api, base: string): Child {
  const { method, path, tag, summary, deprecated, description, parameters = [], requestBody } = operation;
  const address = [make("span", { class: "method" }, method), " ", make("code", {}, formatPath(path))];
  const credentials = describeCredentials(operation, api);
  return [
    make(
      "header",
      {},
      tag !== "" && make("p", { class: "quiet" }, tag),
      make("h1", { tabindex: "-1", class: summary ? undefined : "address" }, summary ?? address),
      summary !== undefined && make("p", { class: "address" }, address),
      deprecated && make("p", { class: "notice" }, make("strong", {}, "Deprecated."), " It may go away."),
      showProse(description),
      credentials !== undefined && make("p", { class: "quiet" }, credentials),
    ),
    make(
      "div",
      { class: "columns" },
      make(
        "div",
        {},
        parameters.length > 0 && [make("h2", {}, "Parameters"), showParameters(parameters, api)],
        requestBody && [
          make(
            "h2",
            {},
            "Body",
            showNote(formatMedias(requestBody.content)),
            !requestBody.required && showNote("optional"),
          ),
          showProse(requestBody.description),
          showContent(requestBody.content, api),
        ],
        make("h2", {}, "Responses"),
        Object.entries(operation.responses ?? {})
          .sort(([one], [other]) => placeOf(one) - placeOf(other))
          .map(([status, answer], at) => showAnswer(status, answer, api, at === 0)),
      ),
      makeTryIt(operation, api, base),
    ),
  ];
}

/** @example placeOf("4XX") // 499.5 */
function placeOf(status: string): number {
  return status === "default" ? 1000 : Number(status.replaceAll("X", "9")) + (status.includes("X") ? 0.5 : 0);
}

function showParameters(parameters: readonly Parameter[], api: Api): Child {
  const places = Object.entries(PLACES).map(
    ([place, title]) => [title, parameters.filter((one) => one.in === place)] as const,
  );
  return places.map(([title, inside]) => inside.length > 0 && showTable(title, inside, api));
}

/** The roles keep it a table where the style sheet makes blocks of its cells, on narrow screens. */
function showTable(title: string, parameters: readonly Parameter[], api: Api): Child {
  const head = ["Name", "Value"].map((text) => make("th", { role: "columnheader", scope: "col" }, text));
  return make(
    "table",
    { role: "table" },
    make("caption", {}, title),
    make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, head)),
    make(
      "tbody",
      { role: "rowgroup" },
      parameters.map((parameter) => showRow(parameter, api)),
    ),
  );
}

function showRow({ name, required, schema, description, deprecated }: Parameter, api: Api): Child {
  const resolved = resolve(schema, api);
  return make(
    "tr",
    { role: "row" },
    make(
      "th",
      { role: "rowheader", scope: "row" },
      make("code", { class: "name" }, name),
      showNote(required ? "required" : "optional"),
      deprecated && showNote("deprecated"),
    ),
    make(
      "td",
      { role: "cell" },
      showType(schema),
      showConstraints(resolved),
      showProse(description ?? resolved.description),
    ),
  );
}

/** The media type that says nothing. */
const ANYTHING = "*/*";
const SHORT: Readonly<Record<string, string>> = { [ANYTHING]: "anything", "application/json": "JSON" };

function showContent(content: Content, api: Api): Child {
  const medias = Object.entries(content).filter(([media]) => media !== ANYTHING);
  return medias.map(([media, { schema }]) => [
    medias.length > 1 && make("p", { class: "media" }, make("code", {}, media)),
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
  const details = make(
    "details",
    { open: isOpen },
    make(
      "summary",
      {},
      make("h3", {}, make("code", { class: "status" }, title), " ", description ?? ""),
      make("span", { class: "quiet" }, formatMedias(content)),
    ),
    inside,
  );
  const open = (): void => {
    if (details.open && inside.childElementCount === 0)
      fill(inside, [showHeaders(headers), showContent(content, api)]);
  };
  details.addEventListener("toggle", open);
  open();
  return details;
}

function showHeaders(headers: NonNullable<Answer["headers"]>): Child {
  const names = Object.keys(headers);
  if (names.length === 0) return undefined;
  const codes = names.flatMap((name, at) => [at === 0 ? "" : ", ", make("code", {}, name)]);
  return make("p", {}, names.length === 1 ? "With the header " : "With the headers ", codes);
}
