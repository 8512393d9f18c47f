/** Instead of `epicfail` in the bundle, a crash reporter that asks the network and npm: main.ts tells what went wrong. */

export function epicfail(): void {}
