/** Any guard, which the test replaces. */
export function guard() {}
