import type { Request } from "framework/http";

// POST /items
export async function post(request: Request) {
  const { name } = (await request.json()) ?? {};
  if (typeof name !== "string" || name === "") return [{ error: "name is required" }, 400];
  return [{ message: `Item ${name} created` }, 201];
}

// GET /items/<item_id>: a parameter that the file name does not bind is added to the path
export function get(item_id: string) {
  return { id: item_id, name: `Item ${item_id}` };
}
