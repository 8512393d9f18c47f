import type { Request } from "framework";

// POST /items
export async function post(request: Request) {
  const { name } = (await request.json()) ?? {};
  if (typeof name !== "string" || name === "")
    return [{ error: "name is required" }, 400];
  return [{ message: `Item ${name} created` }, 201];
}

// GET /items/<item_id>
export function get(item_id: string) {
  return { id: item_id, name: `Item ${item_id}` };
}
