/** Instead of `execa` in the bundle: the engine would run git through a shell with it. git.ts does that, without one. */

export default function execa(): never {
  throw new Error("create-create-app wanted to run a program; here git.ts and install.ts do that");
}
