// GET /
export function get() {
  return { message: "Hello from my-app" };
}
