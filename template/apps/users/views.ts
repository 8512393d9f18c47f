import type { int, Request } from "framework";

// GET /users/by/id/<user_id>: `int` takes digits only, anything else is a 404
export function get_by_id(request: Request, user_id: int) {
  return { user: { id: user_id, name: "Ada" } };
}

// GET /users/by/username/<username>
export function get_by_username(request: Request, username: string) {
  return { user: { username } };
}
