/** The docs page of an API: loads the OpenAPI document beside it, and shows the part that the address names. */

import { makeCode } from "./copy.ts";
import { makeCredentialFields } from "./credentials.ts";
import { type Api, type OpenApi, readApi } from "./document.ts";
import { type Child, fill, make } from "./element.ts";
import { makeNavigation, type Navigation } from "./navigation.ts";
import { showOperation } from "./operation-view.ts";
import { stopRequest } from "./outcome.ts";
import { showProse } from "./prose.ts";
import { showSchema } from "./schema-view.ts";
import { makeThemeButton } from "./theme.ts";
import { toServerUrl } from "./try-it.ts";

/** Relative, because a proxy may have put a path before it. */
const DOCUMENT = new URL("../openapi.json", import.meta.url).href;
const BASE = new URL(".", DOCUMENT).href;
const TYPE = "types/";

/** What is shown: its title, "" for the whole API, and its content. */
interface View {
  readonly title: string;
  readonly content: Child;
}

const main = make("main");
let api: Api = readApi({ info: { title: "API", version: "" } });
let navigation: Navigation | undefined;
/** Then a newer document must not take it away. */
let hasTyped = false;
/** It waits until somebody goes on to another part. */
let newer: OpenApi | undefined;

addEventListener("hashchange", () => {
  if (newer) start(newer);
  else show();
  main.querySelector("h1")?.focus();
  scrollTo(0, 0);
});
addEventListener("input", () => {
  hasTyped = true;
});
addEventListener("keydown", onKey);
document.body.append(main);
await load();

async function load(): Promise<void> {
  try {
    const response = await fetch(DOCUMENT);
    const found = await response.json();
    if (!response.ok) throw new Error(found.detail ?? found.error);
    const wait = Number(response.headers.get("retry-after"));
    if (wait > 0) setTimeout(() => void load(), wait * 1000);
    if (hasTyped) newer = found;
    else start(found);
  } catch (error) {
    // The older document is better than none, and somebody may be typing.
    if (navigation) return;
    const why = error instanceof Error ? error.message : String(error);
    fill(main, make("h1", "The API can't be shown"), make("pre", { tabindex: "0" }, why));
  }
}

function start(found: OpenApi): void {
  newer = undefined;
  api = readApi(found);
  navigation = makeNavigation(api);
  fill(document.body, make("div.side", makeHeader(navigation.element), navigation.element), main);
  show();
}

function makeHeader(list: HTMLElement): HTMLElement {
  const { title, version } = api.document.info;
  const menu = make("button.menu", { type: "button", "aria-controls": list.id }, "Operations");
  const open = (isOpen: boolean): void => {
    list.classList.toggle("open", isOpen);
    menu.setAttribute("aria-expanded", String(isOpen));
  };
  menu.addEventListener("click", () => open(!list.classList.contains("open")));
  list.addEventListener("click", ({ target }) => open(!(target instanceof Element && target.closest("a"))));
  open(false);
  const skip = make("button.skip", { type: "button" }, "Skip to the content");
  skip.addEventListener("click", () => main.querySelector("h1")?.focus());
  const about = make("p", make("a.home", { href: "#" }, title), " ", make("span.quiet", version));
  return make("header", skip, about, make("div.actions", menu, makeThemeButton()));
}

function onKey(event: KeyboardEvent): void {
  const isTyping = event.target instanceof Element && event.target.matches("input, textarea, select");
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  document.querySelector<HTMLElement>(".menu[aria-expanded=false]")?.click();
  navigation?.focusSearch();
}

function show(): void {
  stopRequest();
  const id = decodeHash();
  const { title } = api.document.info;
  const view = findView(id);
  document.title = view.title === "" ? title : `${view.title} – ${title}`;
  fill(main, view.content);
  navigation?.select(id);
}

function decodeHash(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return location.hash.slice(1);
  }
}

function findView(id: string): View {
  if (id === "") return { title: "", content: showOverview() };
  const operation = api.operations.find((one) => one.id === id);
  if (operation) {
    const { method, path, summary = `${method} ${path}` } = operation;
    return { title: summary, content: showOperation(operation, api, BASE) };
  }
  const name = id.startsWith(TYPE) ? id.slice(TYPE.length) : "";
  if (Object.hasOwn(api.schemas, name)) return { title: name, content: showTypePage(name) };
  const text = make("p", "Nothing here is called ", make("code", id), ".");
  return { title: "Not found", content: [makeTitle("Not found"), text] };
}

function makeTitle(title: Child): HTMLElement {
  return make("h1", { tabindex: "-1" }, title);
}

function showTypePage(name: string): Child {
  const uses = (value: unknown): boolean =>
    JSON.stringify(value).includes(`"#/components/schemas/${encodeURIComponent(name)}"`);
  const types = Object.keys(api.schemas).filter((one) => one !== name && uses(api.schemas[one]));
  const users = [
    ...types.map(makeTypeLink),
    ...api.operations.filter(uses).map(({ id, method, path }) => makeLink(id, `${method} ${path}`)),
  ];
  return [
    make("header", make("p.quiet", "Type"), makeTitle(name)),
    showSchema(api.schemas[name], api),
    users.length > 0 && [make("h2", "Used by"), make("ul.plain", users)],
  ];
}

function makeTypeLink(name: string): HTMLElement {
  return makeLink(TYPE + name, name);
}

function makeLink(id: string, text: string): HTMLElement {
  return make("li", make("a", { href: `#${encodeURIComponent(id)}` }, text));
}

function showOverview(): Child {
  const { info, servers = [] } = api.document;
  const schemes = Object.entries(api.schemes);
  const urls = servers.map(({ url }) => make("li", make("code", toServerUrl(url, BASE))));
  const types = Object.keys(api.schemas).map(makeTypeLink);
  const link = make("a", { href: DOCUMENT }, "OpenAPI document");
  return [
    make("header", makeTitle(info.title), make("p.quiet", `Version ${info.version}`)),
    showProse(info.description),
    make("h2", urls.length === 1 ? "Server" : "Servers"),
    make("ul.plain", urls),
    schemes.length > 0 && [
      make("h2", "Credentials"),
      make("p", "This tab keeps them until you close it."),
      make("div.narrow", makeCredentialFields(schemes)),
    ],
    make("h2", "Programs"),
    make("p", "The ", link, " describes all of this for programs."),
    makeCode("In TypeScript", formatClient(toServerUrl(servers[0]?.url ?? "/", BASE))).element,
    types.length > 0 && [make("h2", "Types"), make("ul.types", types)],
  ];
}

function formatClient(url: string): string {
  return `// npx framework client --output client.ts
import { createClient } from "./client.ts";

const api = createClient({ baseUrl: ${JSON.stringify(url)} });`;
}
