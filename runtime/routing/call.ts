/** Calls a function of the project. The usual signatures need no spread, which costs more than the call. */
export function callWith(run: (...values: never[]) => unknown, values: readonly unknown[]): unknown {
  // The signature was read from the source text. Nothing at run time could check it.
  const call = run as (...values: unknown[]) => unknown;
  switch (values.length) {
    case 0:
      return call();
    case 1:
      return call(values[0]);
    case 2:
      return call(values[0], values[1]);
    default:
      return call(...values);
  }
}
