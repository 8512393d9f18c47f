/** What reading the functions that several routes share can report: FW221 to FW239, FW352 to FW369, and FW413. */

/** What to write in place of an argument of `From` that names no function. */
interface WrongArgument {
  readonly found: string;
  /** The function that was probably meant. */
  readonly meant: string | undefined;
  /** It is in an object. */
  readonly isMember: boolean;
}

export const SHARED = {
  FW221: {
    severity: "warning",
    title: "Hooks of a folder without routes",
    message: "No route is in the folder of {file}, so its hooks never run.",
    hint: "Move the file to a folder with routes, such as {right}/, or delete it.",
  },
  FW222: {
    severity: "warning",
    title: "No hook in _hooks.ts",
    message: "{file} exports no guard, no middleware and no error.",
    hint: "Export one of them, or delete the file.",
  },
  FW223: {
    title: "Hook that is not a function",
    message: "`{name}` in _hooks.ts has to be a function, but it is {what}.",
    hint: "Write it as a function: export function {name}(…) { … }",
  },
  FW224: {
    title: "Hook with too many parameters",
    message: "`{name}` is called with ({given}), but it needs more.",
    hint: "Leave out the other parameters. A guard or a provider can take more of a request.",
  },
  FW225: {
    title: "Name that is nearly a hook's",
    message: "`{name}` is not the name of a hook, so nothing calls it.",
    hint: "Did you mean `{meant}`? If not, move it to another file.",
  },
  FW226: {
    title: "Hook that is not exported",
    message: "`{name}` is not exported, so nothing calls it.",
    hint: "Write `export` before it, or give it another name.",
  },
  FW227: {
    title: "Default export in _hooks.ts",
    message: "A default export is not a hook, so nothing calls it.",
    hint: "Export it by its name: guard, middleware or error.",
  },
  FW230: {
    title: "Guard that returns its refusal",
    message: "This guard returns {what}. What a guard returns refuses nobody.",
    hint: 'Throw instead: throw new HttpError(403, "…").',
  },
  FW232: {
    title: "Middleware that is a generator",
    message: "`middleware` is a generator, so calling it runs none of it.",
    hint: "Write it as an async function that returns a response, such as that of `next()`.",
  },
  FW234: {
    title: "Hook in another file",
    message: "Nothing calls {shown} of {file}: hooks are read from _hooks.ts alone.",
    hint: "Move it to {right}, or export it from there. If it is not a hook, give it another name.",
  },
  FW235: {
    title: "Hook parameter of another type",
    message: "`{name}` is called with ({given}), so {parameter} gets {what}.",
    hint: "Write {name}({given}). A guard, a provider or a handler can take more of a request.",
  },
  FW352: {
    title: "`From` without a provider",
    message: "`From` needs `typeof` and the name of a provider, but this is `{found}`.",
    hint: ({ meant, isMember }: WrongArgument): string => {
      if (meant === undefined)
        return "A provider is a function that returns the value. Name it: From<typeof requireUser>.";
      const right = `From<typeof ${meant}>`;
      return isMember ? `Import the function itself, and write ${right}.` : `Write it like this: ${right}`;
    },
  },
  FW353: {
    severity: "warning",
    title: "Optional provider",
    message: "`{name}` is optional here, but its provider always runs.",
    hint: "Remove the `?`, the default or the `undefined`, and let the provider return what you need.",
  },
  FW354: {
    title: "Provider not exported",
    message: "{file} does not export `{name}`, so the framework can't call it.",
    hint: "Write `export` before it.",
  },
  FW355: {
    title: "Provider from a package",
    message: '`{name}` comes from "{from}", but a provider has to be a function of the project.',
    hint: ({ from }: { from: string }): string =>
      from.startsWith("#")
        ? 'If it is a file of the project, package.json needs: "imports": { "#*": "./*" }'
        : "Write a function in a file of the project that calls it, and export that one.",
  },
  FW356: {
    title: "Provider that is not a function",
    message: "`{name}` is {what}, but a provider is a function.",
    hint: ({ what }: { what: string }): string =>
      what === "a class"
        ? "Write a function that returns an instance of it, and export that one."
        : what === "a member of an object"
          ? "Export the function itself, and take that one."
          : "Write a function that returns it, and export that one.",
  },
  FW357: {
    title: "Handler as a provider",
    message: "`{name}` is a handler, so it can't be a provider.",
    hint: "Move what both need into a function of its own, and take that with `From`.",
  },
  FW358: {
    title: "Parameter in place of its provider",
    message: "`typeof {name}` means the parameter `{name}` here, because it hides the function.",
    hint: "Give the parameter another name.",
  },
  FW359: {
    title: "Unknown provider",
    message: "The provider `{name}` can't be found: {why}.",
    hint: ({ nearest, unread }: { nearest: string | undefined; unread: boolean }): string => {
      if (nearest !== undefined) return `Did you mean \`${nearest}\`?`;
      return unread
        ? "Correct that first. Functions are read from .ts, .mts, .js and .mjs files."
        : "Declare it, or import it from a file of the project.";
    },
  },
  FW360: {
    title: "Providers in a circle",
    message: "A provider needs itself: `{chain}`.",
    hint: "Move what two of them need into a third function, or call that one inside.",
  },
  FW361: {
    title: "Param of two types",
    message: "The param `{name}` is `{type}` in `{one}`, but `{otherType}` in `{other}`.",
    hint: "Give both the same type, or give one of them another name.",
  },
  FW362: {
    title: "Value of two types",
    message: "`{one}` takes `{take}`, but `{other}` takes `{otherTake}`, and {what} can't be both.",
    hint: ({ isCredential }: { isCredential: boolean }): string =>
      isCredential
        ? "Take one of them in both, or make both optional with `?`."
        : "Give both the same type, or take the value in one of them alone.",
  },
  FW363: {
    title: "Param that a guard needs",
    message: ({ guard, name, type, pattern, found }: GuardParam): string =>
      `\`${guard}\` needs the param \`${name}: ${type}\`, but in ${pattern} ${found === undefined ? "there is none" : `it is \`${found}\``}.`,
    hint: "The guard of {folder} holds for each route in it and below. Add the param, or move the route.",
  },

  FW413: {
    severity: "warning",
    title: "Open route at a guarded path",
    message: ({ route, file, hooks, path, request }: BesideGuard): string =>
      path !== undefined
        ? `${route} in ${file} is open: ${hooks} guards ${path} only for the files of its folder.`
        : `${route} in ${file} is open, and it serves ${request}: ${hooks} guards only its own routes there.`,
    hint: ({ route, path }: BesideGuard): string => {
      const guard =
        path !== undefined ? "Move it into the folder, or guard it as well." : "Guard it as well.";
      return `${guard} If anyone may call it, add "${route}" to \`open\` under \`[exposure]\`.`;
    },
  },
} as const;

interface BesideGuard {
  /** With the method. */
  readonly route: string;
  readonly file: string;
  readonly hooks: string;
  /** Of the folder that is guarded, where the route is below it. */
  readonly path: string | undefined;
  /** What a route with a param serves at a guarded path. */
  readonly request: string | undefined;
}

interface GuardParam {
  readonly guard: string;
  readonly name: string;
  readonly type: string;
  /** With the method. */
  readonly pattern: string;
  /** Its type in the route. */
  readonly found: string | undefined;
}
