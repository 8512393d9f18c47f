import type { int } from "framework";

// GET /users/by/id/<user_id>: `int` matches digits only, so /users/by/id/abc is a 404
export function get_by_id(user_id: int) {
  return { user: { id: user_id, name: "Ada" } };
}

// GET /users/by/username/<username>
export function get_by_username(username: string) {
  return { user: { username } };
}
