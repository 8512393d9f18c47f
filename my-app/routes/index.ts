// GET /
export function get() {
  return { message: "Hello, world" };
}
