/** Hono, with a body checked by what TypeBox compiles: its validator for Hono does not compile, and is slower. */

import { Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { validator } from "hono/validator";
import { serveHono } from "./hono-app.mjs";

const text = (minLength, maxLength) => Type.String({ minLength, maxLength });
const signup = Type.Object({
  name: text(1, 80),
  email: text(3, 254),
  age: Type.Integer({ minimum: 0, maximum: 150 }),
  newsletter: Type.Boolean(),
  plan: Type.Union([Type.Literal("free"), Type.Literal("team"), Type.Literal("business")]),
  tags: Type.Array(Type.String()),
  address: Type.Object({ street: text(1, 200), city: text(1, 100), postcode: text(1, 20) }),
  credit: Type.Number(),
  language: Type.String(),
  referrer: Type.Optional(Type.String()),
});

const compiled = TypeCompiler.Compile(signup);

serveHono(
  validator("json", (value, c) =>
    compiled.Check(value) ? value : c.json({ errors: [...compiled.Errors(value)] }, 422),
  ),
);
