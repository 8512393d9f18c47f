/** Hono, with a body checked by zod. */

import { zValidator } from "@hono/zod-validator";
import { z } from "zod";
import { serveHono } from "./hono-app.mjs";

const text = (least, most) => z.string().min(least).max(most);
const signup = z.object({
  name: text(1, 80),
  email: text(3, 254),
  age: z.int().min(0).max(150),
  newsletter: z.boolean(),
  plan: z.enum(["free", "team", "business"]),
  tags: z.array(z.string()),
  address: z.object({ street: text(1, 200), city: text(1, 100), postcode: text(1, 20) }),
  credit: z.number(),
  language: z.string(),
  referrer: z.string().optional(),
});

serveHono(zValidator("json", signup));
