/** Instead of `cross-spawn` in the bundle: the engine would install through a shell with it. install.ts does that, without one. */

export function spawn(): never {
  throw new Error("create-create-app wanted to install; here install.ts does that");
}
