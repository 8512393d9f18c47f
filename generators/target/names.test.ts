import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Project, readProject } from "#convention/project";
import { planApp } from "../app.ts";
import { planHandler, planRoute } from "../handlers.ts";
import type { Plan } from "../plan.ts";
import { orRefused, Refused } from "../refused.ts";
import { parseParams } from "./words.ts";

const test = suite<{ project: Project }>("names");

test.before((context) => {
  const root = mkdtempSync(join(tmpdir(), "names-"));
  cpSync(fileURLToPath(new URL("../../template", import.meta.url)), root, { recursive: true });
  Object.assign(context, { project: readProject(root) });
});

test.after(({ project }) => rmSync(project.root, { recursive: true }));

const PLANNERS = {
  app: (project: Project, name: string) => planApp(project, { name, prefix: undefined }),
  handler: (project: Project, name: string) =>
    planHandler(project, { target: { name }, params: [], app: "products" }),
  path: (project: Project, path: string) =>
    planHandler(project, { target: { method: "GET", path }, params: [], app: undefined }),
  route: (project: Project, path: string) => planRoute(project, { path, methods: ["GET"], params: [] }),
  param: (_project: Project, word: string): Plan => {
    parseParams([word]);
    return { changes: [], made: [], present: [], notes: [] };
  },
};

const LONG = "x".repeat(300);

/** Each with the words of the refusal's hint that show what may be meant, or say what to do. */
const REFUSED: [kind: keyof typeof PLANNERS, name: string, hint: string][] = [
  ["app", "../x", "Use letters"],
  ["app", "/abs/x", "Use letters"],
  ["app", "C:\\x", "Use letters"],
  ["app", "con", "Choose another name."],
  ["app", "a b", "Use letters"],
  ["app", "😀", "Use letters"],
  ["app", "shop😀", "Use letters"],
  ["app", LONG, "Choose a shorter name."],
  ["app", "{{x}}", "Use letters"],
  ["app", `"x"`, "Use letters"],
  ["app", "a\nb", "Use letters"],
  ["app", "a\0b", "Use letters"],
  ["app", "x.", "Use letters"],
  ["app", "", "Use letters"],
  ["handler", "../x", "Begin it with one of get"],
  ["handler", "-get_x", "Begin it with one of get"],
  ["handler", "get_../x", "Use letters"],
  ["handler", "get_a b", "Use letters"],
  ["handler", `get_${LONG}`, "Choose a shorter name."],
  ["handler", "get_{{x}}", "Use letters"],
  ["handler", "get_$(x)", "Serve it from a file"],
  ["handler", "get_a\u001b[2Jb", "Use letters"],
  ["handler", "", "Begin it with one of get"],
  ["path", "/products/../x", "Leave it out of the path."],
  ["path", "/products/a b", "Use letters"],
  ["path", `/products/${LONG}`, "Choose a shorter name."],
  ["route", "../x", "Leave it out of the path."],
  ["route", "con", "Choose another name."],
  ["route", "a/Nul/b", "Choose another name."],
  ["route", "lpt1.txt", "Choose another name."],
  ["route", "a b", "Use letters"],
  ["route", "😀", "Use letters"],
  ["route", LONG, "Choose another name."],
  ["route", `[${LONG}]`, "Choose another name."],
  ["route", "{{x}}", "Use letters"],
  ["route", "a/'x'", "Choose another name."],
  ["route", "$(x)", "Choose another name."],
  ["route", "a:b", "Choose another name."],
  ["route", "x./y", "Choose another name."],
  ["route", "a\nb", "Use letters"],
  ["param", "../x", "Use letters"],
  ["param", "a b", "Use letters"],
  ["param", "class", "such as `class_id`"],
  ["param", "a\nb", "Use letters"],
];

for (const [kind, name, words] of REFUSED) {
  const shown = JSON.stringify(name.length > 60 ? `${name.slice(0, 20)}…` : name);
  test(`${kind} ${shown} is refused, and nothing is planned`, ({ project }) => {
    const refused = orRefused(() => PLANNERS[kind](project, name));
    if (!(refused instanceof Refused)) throw new Error(refused.changes.map(({ file }) => file).join());
    const [diagnostic, ...others] = refused.diagnostics;
    assert.equal(others, []);
    assert.is(diagnostic?.code, "FW601");
    assert.ok(diagnostic?.hint?.includes(words), `${diagnostic?.message} ${diagnostic?.hint}`);
    assert.ok((diagnostic?.message ?? "").length < 300);
  });
}

const ACCEPTED: [kind: keyof typeof PLANNERS, name: string][] = [
  ["app", "con-x"],
  ["app", "class"],
  ["handler", "get_class"],
  ["handler", "get_con"],
  ["path", "/products/a/b"],
  ["route", "c++"],
  ["route", "@me"],
  ["route", "my-page.html"],
  ["route", "a_b"],
  ["route", "日本"],
];

for (const [kind, name] of ACCEPTED) {
  test(`${kind} ${name} is a name`, ({ project }) => {
    const planned = orRefused(() => PLANNERS[kind](project, name));
    assert.equal(planned instanceof Refused && planned.diagnostics, false);
  });
}

test("a route file that stands gets its handler whatever it is called", ({ project }) => {
  cpSync(join(project.root, "routes/index.ts"), join(project.root, "routes/a;b.ts"));
  const standing = readProject(project.root);
  const planned = orRefused(() => planRoute(standing, { path: "a;b", methods: ["POST"], params: [] }));
  rmSync(join(project.root, "routes/a;b.ts"));
  assert.equal(planned instanceof Refused && planned.diagnostics, false);
});

test("not one of the names left a file behind", ({ project }) => {
  const files = readdirSync(project.root, { recursive: true }).map(String);
  const template = readdirSync(new URL("../../template", import.meta.url), { recursive: true }).map(String);
  assert.equal(files.sort(), template.sort());
});

test.run();
