/** The docs page in Chromium: what it shows, that it can be used by keyboard and by screen reader, and that it asks nobody else. */

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import axe from "axe-core";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { sample } from "#runtime/random.fixture";
import { bundlePage } from "../create/build/page.ts";
import { closeChromium, findChromium, openPage, type Page } from "./harness/chromium.ts";
import { once } from "./harness/once.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { DEV, type RunningServer, serve } from "./harness/server.ts";
import { REPOSITORY } from "./harness/workspace.ts";

const FILES: Readonly<Record<string, string>> = {
  "framework.toml": `apps = ["products", "users"]
[contract]
title = "Shop"
description = "Sells **lamps**. <img src=x onerror='document.title = 1'> [no](javascript:alert(1))"
servers = ["/", "https://shop.example/v1"]
`,
  "apps/products/views.ts": `import { type Basic, type Bearer, type Body, type Form, type int, type Max, type Min, type MinLength, type Query, events, HttpError } from "framework";

interface Maker { name: string; address: { street: string } }
export interface Product { id: int; name: string & MinLength<1>; maker?: Maker; parts?: Product[] }

/**
 * Lists products.
 *
 * The newest come first.
 *
 * @param limit how many come at once
 */
export function get_index(limit: Query<int & Min<1> & Max<100>> = 20, tag: Query<string[]> = []): Product[] {
  return tag.map((name) => ({ id: limit, name }));
}

/** Adds a product. */
export async function post_index(body: Body<{ name: string & MinLength<1>; maker?: Maker }>, token: Bearer): Promise<[Product, 201]> {
  if (token !== "let-me-in") throw new HttpError(403, "Not you");
  return [{ id: 8, ...body }, 201];
}

/** Replaces a picture. */
export async function put_$id_picture(id: int, form: Form<{ file: File; title: string }>): Promise<{ id: int; title: string; text: string }> {
  return { id, title: form.title, text: await form.file.text() };
}

/** Tells what is sold. */
export async function get_events() {
  return events((async function* (): AsyncGenerator<{ at: number }> {
    for (let at = 1; ; at++) {
      yield { at };
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })());
}

/** @deprecated */
export function delete_$id(id: int, who: Basic): void {}
`,
};

interface Shop {
  readonly project: Project;
  readonly server: RunningServer;
  readonly page: Page;
}

const openShop = once("shop", async (): Promise<Shop> => {
  const project = await copyProject();
  for (const [file, text] of Object.entries(FILES)) project.write(file, text);
  return { project, server: await serve(project.folder, DEV), page: await openPage() };
});

/** @param hash what of the page is opened, such as `#getProducts`. */
async function openAt(hash: string): Promise<Shop> {
  const shop = await openShop();
  await shop.page.open(`${shop.server.url}/docs${hash}`);
  return shop;
}

/** Puts a text into a field as somebody would type it. */
async function fill({ page }: Shop, label: string, text: string): Promise<void> {
  await page.run(`(() => {
    const label = [...document.querySelectorAll("label")].find((one) => one.textContent.startsWith(${JSON.stringify(label)}));
    label.control.focus();
    label.control.select?.();
  })()`);
  await page.type(text);
}

async function send({ page }: Shop): Promise<string> {
  await page.run("document.querySelector('form .main').click()");
  await page.until("/^\\d+ .*(bytes?|KiB|stopped)/.test(document.querySelector('.outcome').textContent)");
  return page.run("document.querySelector('.outcome').textContent");
}

/** What a block of code shows: of the answer, of curl or of the client. */
function codeOf({ page }: Shop, title: string): Promise<string> {
  return page.run(
    `[...document.querySelectorAll("figure")].find((one) => one.textContent.startsWith(${JSON.stringify(title)})).querySelector("code").textContent`,
  );
}

/** What axe finds, as lines. */
async function audit(page: Page): Promise<readonly string[]> {
  await page.run(axe.source);
  return page.run(`axe.run({ resultTypes: ["violations"] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ": " + html + " " + failureSummary)))`);
}

async function show(page: Page, theme: "light" | "dark", width: number): Promise<void> {
  await page.send("Emulation.setDeviceMetricsOverride", {
    width,
    height: 900,
    deviceScaleFactor: 1,
    mobile: false,
  });
  await page.send("Emulation.setEmulatedMedia", {
    features: [{ name: "prefers-color-scheme", value: theme }],
  });
}

test("the page is at most 25 kB, compressed", async () => {
  const texts = Object.values(await bundlePage(join(REPOSITORY, "toolchain/docs-page")));
  assert.is(texts.length, 3);
  const size = texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0);
  assert.ok(size <= 25_000, `${size} bytes`);
});

const chromium = findChromium();
if (chromium === undefined)
  console.log("Skipped, the docs page in a browser: there is no Chromium in the search path.");
const testInBrowser = chromium === undefined ? test.skip : test;

testInBrowser("every part of the page loads under its policy, and asks only its own server", async () => {
  for (const hash of ["", "#postProducts", "#types/Product", "#nothing"]) {
    const { page, server } = await openAt(hash);
    assert.equal(page.errors, [], hash);
    assert.equal(
      page.requests.filter((url) => !url.startsWith(`${server.url}/`) && !/^(data|about):/.test(url)),
      [],
    );
  }
});

testInBrowser("text of the document is text, and links to scripts are not links", async () => {
  const { page } = await openAt("");
  assert.is(await page.run("document.title"), "Shop");
  assert.is(await page.run("document.querySelectorAll('main img, main a[href^=javascript]').length"), 0);
  assert.match(await page.run<string>("document.querySelector('.prose').textContent"), "<img src=x");
  assert.is(await page.run("document.querySelector('.prose strong').textContent"), "lamps");
});

testInBrowser("an operation shows what it takes, and what it answers", async () => {
  const { page } = await openAt("#getProducts");
  const text = await page.run<string>("document.querySelector('main').innerText");
  const paths = "[...document.querySelectorAll('nav .path')].map((one) => one.textContent)";
  assert.ok((await page.run<string[]>(paths)).includes("/products/{id}/picture"));
  for (const part of [
    "Lists products",
    "The newest come first.",
    "integer 1 to 100, default 20",
    "how many come at once",
  ])
    assert.match(text, part);
  assert.is(await page.run("document.title"), "Lists products – Shop");
  const openParts = "document.querySelector('[aria-label=\"Properties of parts\"]').click()";
  const counts: number[] = [];
  for (let step = 0; step < 2; step++) {
    counts.push(await page.run("document.querySelectorAll('.properties .name').length"));
    await page.run(openParts);
  }
  assert.equal(counts, [4, 8], "the parts of a product are products");
  await page.run("document.querySelector('.properties a[href=\"#types/Maker\"]').click()");
  await page.until("document.title === 'Maker – Shop'");
  assert.match(
    await page.run<string>("document.querySelector('main').innerText"),
    /Used by\s+Product\s+POST \/products/,
  );
});

testInBrowser("by keyboard: search, arrows, Enter, the skip button and the way back", async () => {
  const { page } = await openAt("");
  await page.press("/");
  assert.is(await page.run("document.activeElement.type"), "search");
  await page.type("post prod");
  assert.is(await page.run("document.querySelector('.count').textContent"), "1 found");
  await page.press("ArrowDown");
  await page.press("Enter");
  await page.until("document.title === 'Adds a product – Shop'");
  assert.is(await page.run("document.activeElement.textContent"), "Adds a product");
  assert.is(await page.run("document.querySelector('[aria-current]').getAttribute('href')"), "#postProducts");
  await page.run("history.back()");
  await page.until("document.title === 'Shop'");
  await openAt("#getProducts");
  await page.press("Tab");
  assert.is(await page.run("document.activeElement.textContent"), "Skip to the content");
  await page.press("Enter");
  assert.is(await page.run("document.activeElement.textContent"), "Lists products");
});

testInBrowser(
  "what was tried comes back: refused, with a credential, and as curl and the client send it",
  async () => {
    const shop = await openAt("#postProducts");
    const { page } = shop;
    const lamp = { name: `lamp's "x" $HOME` };
    assert.match(await send(shop), /^401 Unauthorized, \d+ ms, \d+ bytes$/);
    await fill(shop, "Bearer token", "let-me-in");
    await fill(shop, "Body", JSON.stringify(lamp));
    assert.match(await send(shop), /^201 Created, /);
    const body = await codeOf(shop, "Body");
    assert.is(body, JSON.stringify({ id: 8, ...lamp }, null, 2));
    assert.is(
      await codeOf(shop, "Client"),
      `const answer = await api.postProducts({ body: { name: ${JSON.stringify(lamp.name)} } });`,
    );
    const { stdout, error } = spawnSync("sh", ["-c", `${await codeOf(shop, "curl")} --silent`], {
      encoding: "utf8",
    });
    if (error === undefined) assert.equal(JSON.parse(stdout), JSON.parse(body));
    assert.equal(await page.run("[localStorage.length, Object.values(sessionStorage)]"), [0, ["let-me-in"]]);
    await openAt("#postProducts");
    assert.match(await codeOf(shop, "curl"), "Bearer let-me-in", "the tab keeps it");
  },
);

testInBrowser("files go up, from the page and from curl", async () => {
  const shop = await openAt("#putProductsByIdPicture");
  const { page, project } = shop;
  const name = 'it\'s; a "picture".txt';
  writeFileSync(join(project.folder, name), "pixels");
  const { result } = await page.send<{ result: { objectId: string } }>("Runtime.evaluate", {
    expression: "document.querySelector('[type=file]')",
  });
  await page.send("DOM.setFileInputFiles", {
    files: [join(project.folder, name)],
    objectId: result.objectId,
  });
  await fill(shop, "id", "7");
  await fill(shop, "title", "@framework.toml");
  assert.match(await send(shop), /^200 OK/);
  const body = JSON.parse(await codeOf(shop, "Body"));
  assert.equal(body, { id: 7, title: "@framework.toml", text: "pixels" });
  const command = `${await codeOf(shop, "curl")} --silent`;
  const { stdout, error } = spawnSync("sh", ["-c", command], { cwd: project.folder, encoding: "utf8" });
  if (error === undefined) assert.equal(JSON.parse(stdout), body);
});

testInBrowser("events show as they come, until somebody stops them", async () => {
  const shop = await openAt("#getProductsEvents");
  const { page } = shop;
  await page.run("document.querySelector('form .main').click()");
  await page.until(`/"at":3/.test(document.querySelector("figure code")?.textContent)`);
  await page.run(
    "[...document.querySelectorAll('button')].find((one) => one.textContent === 'Stop').click()",
  );
  await page.until("document.querySelector('.outcome').textContent.endsWith('stopped')");
  assert.match(await codeOf(shop, "Body"), /^data: {"at":1}/m);
});

for (const theme of sample("themes", ["light", "dark"] as const, 1)) {
  testInBrowser(`axe finds nothing, with a result and without, wide and narrow, ${theme}`, async () => {
    const { page } = await openShop();
    await show(page, theme, 1300);
    const shop = await openAt("#getProducts");
    await fill(shop, "tag", "a");
    await send(shop);
    await page.run("for (const one of document.querySelectorAll('details')) one.open = true");
    assert.equal(await audit(page), [], "an operation");
    await show(page, theme, 320);
    const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assert.is(await page.run(overflow), 0, "nothing is cut off at 400 %");
    assert.equal(await audit(page), [], "narrow");
    await openAt(theme === "light" ? "" : "#types/Product");
    await page.run("document.querySelector('.menu').click()");
    assert.equal(await audit(page), [], "with the menu open");
    await show(page, theme, 1300);
  });
}

/** The page of a document that no project has to have. */
async function serveDocument(document: object): Promise<string> {
  const { server: shop } = await openShop();
  const server = createServer(async (request, response) => {
    const name = /[^/]+$/.exec(request.url ?? "")?.[0] ?? "";
    if (name === "openapi.json") return void response.end(JSON.stringify(document));
    const page = await fetch(`${shop.url}/docs/${name === "docs" ? "" : name}`);
    response.setHeader("content-type", page.headers.get("content-type") ?? "");
    response.end(await page.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const ROUTES = 1_000;

testInBrowser(
  `${ROUTES} operations are there at once, behind a proxy's path too, and a search takes less than 50 ms`,
  async () => {
    const { page } = await openShop();
    const paths = Array.from({ length: ROUTES }, (_, at) => {
      const operation = {
        operationId: `getThing${at}`,
        summary: `Thing ${at}`,
        tags: [`app${at % 20}`],
        responses: {},
      };
      return [`/app${at % 20}/things/${at}/{id}`, { get: operation }];
    });
    const url = await serveDocument({
      info: { title: "Large", version: "1" },
      paths: Object.fromEntries(paths),
    });
    await page.open(`${url}/behind/docs`);
    assert.is(await page.run("document.querySelectorAll('nav li').length"), ROUTES);
    const fastest = await page.run<number>(`(() => {
    const input = document.querySelector("nav input");
    return Math.min(...["thing", "thing 99", "", "app7 9", "zzz"].map((query) => {
      const began = performance.now();
      input.value = query;
      input.dispatchEvent(new Event("input"));
      document.body.offsetHeight;
      return performance.now() - began;
    }));
  })()`);
    assert.ok(fastest < 50, `${fastest} ms`);
  },
);

testInBrowser("the browser is closed", closeChromium);

test.run();
