import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import {
  escapeHandlebars,
  isLeftOut,
  packFile,
  packPath,
  unescapeHandlebars,
  unpackName,
} from "./template.ts";

const PATHS: readonly [file: string, packed: string][] = [
  [".gitignore", "_gitignore"],
  [".github/.keep", "_github/_keep"],
  ["routes/_shared.ts", "routes/__shared.ts"],
  ["apps/users/views.ts", "apps/users/views.ts"],
  ["a.b_c", "a.b_c"],
];

for (const [file, packed] of PATHS) {
  test(`${file} is packed as ${packed}, and unpacked as it was`, () => {
    assert.is(packPath(file), packed);
    assert.is(packed.split("/").map(unpackName).join("/"), file);
  });
}

test("files without placeholders are packed byte for byte", () => {
  const content = Uint8Array.of(0xff, 0x7b, 0x7b, 0x00);
  assert.equal(packFile("image.png", content), { file: "plain/image.png", content });
});

test("a file whose placeholders find no place fails the build", () => {
  assert.throws(
    () => packFile("framework.toml", new TextEncoder().encode("[server]\n")),
    /no longer has a line/,
  );
  assert.throws(() => packFile("README.md", new TextEncoder().encode("# shop\n")), /no longer says/);
});

test("text escaped for Handlebars has no placeholder of its own, and comes back", () => {
  const braces = fc.string({ unit: fc.constantFrom("{", "}", "\\", "a", "/") });
  fc.assert(
    fc.property(braces, (text) => {
      const escaped = escapeHandlebars(text);
      const rest = escaped.replaceAll(/\{\{\{(?:brace|backslash)\}\}\}/g, "");
      return !rest.includes("{{") && unescapeHandlebars(escaped) === text;
    }),
  );
});

test("a sample app that is not chosen takes its tests along", () => {
  assert.is(isLeftOut("apps/users", ["products"]), true);
  assert.is(isLeftOut("tests/users.test.ts", ["products"]), true);
  assert.is(isLeftOut("apps/products", ["products"]), false);
  assert.is(isLeftOut("tests/routes.test.ts", []), false);
});

test.run();
