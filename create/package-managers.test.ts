import { test } from "uvu";
import * as assert from "uvu/assert";
import { detectPackageManager, toCreateCommand, toFirstCommands } from "./package-managers.ts";

const AGENTS: readonly [agent: string | undefined, manager: string][] = [
  ["npm/11.19.1 node/v20.20.2 linux x64 workspaces/false", "npm"],
  ["pnpm/10.1.0 npm/? node/v22.1.0 linux x64", "pnpm"],
  ["yarn/4.5.0 npm/? node/v22.1.0 linux x64", "yarn"],
  ["bun/1.2.0 npm/? node/v22.1.0 linux x64", "bun"],
  ["cnpm/9 node/v22", "npm"],
  [undefined, "npm"],
];

for (const [agent, manager] of AGENTS) {
  test(`${agent ?? "no user agent"} means ${manager}`, () => {
    assert.is(detectPackageManager(agent), manager);
  });
}

test("only npm needs -- before flags", () => {
  assert.is(toCreateCommand("npm", "shop", ["--yes"]), "npm create convention-app@latest shop -- --yes");
  assert.is(toCreateCommand("pnpm", "shop", ["--yes"]), "pnpm create convention-app@latest shop --yes");
  assert.is(toCreateCommand("yarn", "shop", ["--yes"]), "yarn create convention-app shop --yes");
  assert.is(toCreateCommand("bun", "shop", ["--yes"]), "bun create convention-app@latest shop --yes");
});

test("the first commands run in a project with nothing installed", () => {
  assert.is(toFirstCommands("npm", false).routes, "npx framework routes list");
  assert.is(toFirstCommands("pnpm", false).dev, "pnpm run dev");
  assert.is(toFirstCommands("yarn", false).dev, "npm run dev");
  assert.is(toFirstCommands("yarn", true).dev, "yarn run dev");
});

test.run();
