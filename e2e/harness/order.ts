/** Modules whose answers depend on the order in which modules run. */

/** In folders of their own. Each `routes/<name>/….ts` answers with what depends on the order. */
const CASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "a barrel file that closes a circle": {
    "lib/barrel/index.ts": 'export * from "./admin.ts";\nexport * from "./user.ts";\n',
    "lib/barrel/admin.ts":
      'import { User } from "./index.ts";\nexport class Admin extends User { role = "admin"; }\n',
    "lib/barrel/user.ts":
      'import { Admin } from "./admin.ts";\nexport class User { name = "Ada"; promote() { return new Admin(); } }\n',
    "routes/barrel.ts":
      'import { Admin } from "../lib/barrel/admin.ts";\nexport const get = () => new Admin();\n',
  },
  "a base class that knows its subclass": {
    "lib/circle/base.ts":
      'import { Sub } from "./sub.ts";\nexport class Base { n = 1; static create() { return new Sub(); } }\n',
    "lib/circle/sub.ts": 'import { Base } from "./base.ts";\nexport class Sub extends Base {}\n',
    "routes/circle.ts": 'import { Sub } from "../lib/circle/sub.ts";\nexport const get = () => new Sub();\n',
  },
  "a circle that is seen half made": {
    "lib/half/a.ts": 'import { b } from "./b.ts";\nexport function a() { return b; }\n',
    "lib/half/b.ts": 'import { a } from "./a.ts";\nexport const b = 1;\nexport const seen = typeof a;\n',
    "routes/half.ts":
      'import "../lib/half/a.ts";\nimport { seen } from "../lib/half/b.ts";\nexport const get = () => ({ seen });\n',
  },
  "hooks that make what handlers fill": {
    "routes/zoo/_hooks.ts":
      'Object.assign(globalThis, { zoo: new Set(["root"]) });\nexport const middleware = (request, next) => next();\n',
    "routes/animals.ts":
      '(globalThis as never as { zoo: Set<string> }).zoo.add("ape");\nexport const get = () => [...(globalThis as never as { zoo: Set<string> }).zoo];\n',
    "routes/zoo/index.ts": "export const get = () => 1;\n",
  },
  "a provider's module, which comes after all handlers": {
    "lib/order.ts": "export const ran: string[] = [];\n",
    "lib/provide.ts":
      'import { ran } from "./order.ts";\nran.push("provider");\nexport function provide() { return ran; }\n',
    "routes/first/provided.ts":
      'import type { From } from "framework";\nimport { ran } from "../../lib/order.ts";\nimport type { provide } from "../../lib/provide.ts";\nran.push("first");\nexport const get = (order: From<typeof provide>) => ({ order });\n',
    "routes/later.ts":
      'import { ran } from "../lib/order.ts";\nran.push("later");\nexport const get = () => 1;\n',
  },
  "what a call hands to another function": {
    "lib/registry.ts":
      "export const registry = new Map<string, number>();\nexport const create = (name: string) => registry.set(name, registry.size);\n",
    "routes/called/a.ts":
      'import { create } from "../../lib/registry.ts";\nconst made = ["a", "b"].map((name) => create(name));\nexport const get = () => made.length;\n',
    "routes/called/b.ts":
      'import { registry } from "../../lib/registry.ts";\nif (!registry.has("a")) throw new Error("a is missing");\nexport const get = () => ({ size: registry.size });\n',
  },
  "what is copied into another module's object": {
    "lib/shared.ts": "export const shared: Record<string, number> = {};\n",
    "routes/copied/a.ts":
      'import { shared } from "../../lib/shared.ts";\nexport const all = Object.assign(shared, { a: 1 });\nexport const get = () => all;\n',
    "routes/copied/b.ts":
      'import { shared } from "../../lib/shared.ts";\nif (shared.a === undefined) throw new Error("a is missing");\nexport const get = () => shared;\n',
  },
  "a CommonJS module": {
    "lib/setup.cjs": "globalThis.common = new Map();\n",
    "routes/common/a.ts": 'import setup from "../../lib/setup.cjs";\nexport const get = () => setup;\n',
    "routes/common/b.ts":
      '(globalThis as never as { common: Map<string, number> }).common.set("b", 1);\nexport const get = () => 1;\n',
  },
  "a copy of what another module fills later": {
    "lib/plugins.ts": "export const plugins: string[] = [];\n",
    "routes/plugins/a.ts":
      'import { plugins } from "../../lib/plugins.ts";\nconst names = [...plugins];\nexport const get = () => ({ names });\n',
    "routes/plugins/b.ts":
      'import { plugins } from "../../lib/plugins.ts";\nplugins.push("b");\nexport const get = () => 1;\n',
  },
  "a global that the main file sets after the handlers are loaded": {
    "routes/mode.ts":
      'const mode = (globalThis as { mode?: string }).mode ?? "none";\nexport const get = () => ({ mode });\n',
  },
};

export const ORDER_FILES: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(CASES));

/** One that no other needs, one of each kind of folder, and those inside of circles. */
export const ORDER_SAVED: readonly string[] = [
  "routes/items.ts",
  "apps/users/views.ts",
  "lib/barrel/user.ts",
  "lib/barrel/index.ts",
  "lib/circle/base.ts",
  "lib/half/b.ts",
  "lib/half/a.ts",
  "routes/plugins/b.ts",
  "routes/zoo/_hooks.ts",
  "lib/provide.ts",
];

export const ORDER_PATHS: readonly string[] = Object.keys(ORDER_FILES)
  .flatMap((file) => /^routes(\/(?!.*_).*)\.ts$/.exec(file)?.[1] ?? [])
  .map((path) => path.replace(/\/index$/, ""));
