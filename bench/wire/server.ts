/** A built server whose handlers take something off the wire in every way that there is. */

import { dirname } from "node:path";
import { type RunningServer, serve } from "../../e2e/harness/server.ts";
import { buildServer, currentFramework } from "../built-server.ts";

const FILES: Readonly<Record<string, string>> = {
  "framework.toml": "apps = []\n",
  "types/order.ts": `import type { DateOnly, Email, int, Max, MaxItems, MaxLength, Min, MinItems, MinLength, Pattern, UniqueItems, Uri, Uuid } from "framework";

export const STATES = ["open", "paid", "sent"] as const;

export type Contact = { kind: "email"; email: string & Email } | { kind: "phone"; phone: string & Pattern<"^[+0-9 ]+$"> };

export interface Line {
  sku: string & MinLength<1> & MaxLength<40>;
  count: int & Min<1> & Max<1000>;
  price: number & Min<0>;
  note?: string | null;
}

export interface Order {
  id: string & Uuid;
  state: (typeof STATES)[number];
  contact: Contact;
  lines: Line[] & MinItems<1> & MaxItems<100>;
  tags: string[] & UniqueItems;
  day: string & DateOnly;
  at?: Date;
  site?: string & Uri;
  size: [width: number, height?: number, ...others: number[]];
  weight: \`\${number}kg\`;
  labels: Record<string, string | number>;
  extra?: unknown;
}

export interface Tree {
  label: string;
  children: Tree[];
}
`,
  "routes/orders.ts": `import type { Body } from "framework";
import type { Order } from "../types/order.ts";

export function post(body: Body<Order>) {
  return [{ lines: body.lines.length, at: body.at?.getTime() }, 201];
}

export function put(body?: Body<Partial<Order>>) {
  return { given: body !== undefined };
}
`,
  "routes/trees.ts": `import type { Body } from "framework";
import type { Tree } from "../types/order.ts";

export function post(body: Body<Tree>) {
  return { children: body.children.length };
}
`,
  "routes/anything.ts": `import type { Body } from "framework";

export function post(body: Body<unknown>) {
  return { type: typeof body };
}
`,
  "routes/numbers.ts": `import type { Body, int, UniqueItems } from "framework";

export function post(body: Body<int[] & UniqueItems>) {
  return { count: body.length };
}
`,
  "routes/texts.ts": `import type { Body, Email, MaxLength, Pattern } from "framework";

export function post(body: Body<Record<string, string & MaxLength<2000000> & Pattern<"^[^!]*$">>>) {
  return { count: Object.keys(body).length };
}

export function put(body: Body<{ email: string & Email }>) {
  return { length: body.email.length };
}
`,
  "routes/search.ts": `import type { int, Max, Min, MinLength, Query } from "framework";

interface Search {
  q: string & MinLength<1>;
  limit?: int & Min<1> & Max<100>;
  exact?: boolean;
  sort?: "name" | "-name" | 1;
  tag?: string[];
  score?: number;
}

export function get({ q, limit = 20, tag = [] }: Query<Search>) {
  return { length: q.length, limit, tags: tag.length };
}
`,
  "routes/pages.ts": `import type { Query, int } from "framework";

export function get(page: Query<int> = 1, tag: Query<string[]> = [], on?: Query<boolean>) {
  return { page, tags: tag.length, on };
}
`,
  "routes/forms.ts": `import type { Form, int, MinLength } from "framework";

interface Upload {
  title: string & MinLength<1>;
  count?: int;
  agree?: boolean;
  tag?: string[];
  file?: File;
  more?: File[];
}

export function post(form: Form<Upload>) {
  return { title: form.title.length, size: form.file?.size };
}
`,
  "routes/me.ts": `import type { Bearer, Cookie, Header } from "framework";

export function get(token: Bearer, theme: Cookie<"dark" | "light"> = "light", if_none_match?: Header<string>) {
  return { token: token.length, theme, tag: if_none_match?.length };
}
`,
  "routes/keys.ts": `import type { ApiKey, Basic, Header, int } from "framework";

export function get(user: Basic, key: ApiKey<"x-key">, { "x-count": count }: Header<{ "x-count"?: int }>) {
  return { name: user.username.length, key: key.length, count };
}
`,
};

export async function startTypedServer(): Promise<RunningServer> {
  const file = await buildServer(await currentFramework(), FILES);
  return serve(dirname(file), [process.execPath, file], { NODE_ENV: "production", HOST: "127.0.0.1" });
}
