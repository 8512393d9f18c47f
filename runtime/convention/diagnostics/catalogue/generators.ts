/** Why a generator wrote nothing: its findings by their permanent codes, FW6xx. */

/** A code once given is never given to anything else. */
export const GENERATORS = {
  FW601: {
    severity: "error",
    title: "Name that breaks the rule",
    message: ({ refusal }: { refusal: string; hint: string }): string => `${refusal}.`,
    hint: ({ hint }: { hint: string }): string => hint,
  },
  FW602: {
    severity: "error",
    title: "Unknown app",
    message: ({ app }: { app: string }): string => `There is no app \`${app}\`.`,
    hint: ({
      app,
      nearest,
      apps,
    }: {
      app: string;
      nearest: string | undefined;
      apps: readonly string[];
    }): string => {
      if (nearest !== undefined) return `Did you mean \`${nearest}\`?`;
      const known = apps.length === 0 ? "" : `The apps are ${apps.join(", ")}. `;
      return `${known}Make it with: npx framework generate app ${app}`;
    },
  },
  FW603: {
    severity: "error",
    title: "Path of no app",
    message: ({ path }: { path: string; file: string }): string => `\`${path}\` lies under no app's prefix.`,
    hint: ({ path, file }: { path: string; file: string }): string =>
      `Name an app with --app, make one with a prefix that ${path} begins with, or serve it from a file: npx framework generate route ${file}`,
  },
  FW604: {
    severity: "error",
    title: "Path of several apps",
    message: ({ path, apps }: { path: string; apps: readonly string[] }): string =>
      `\`${path}\` lies under the same prefix of several apps: ${apps.join(", ")}.`,
    hint: ({ apps }: { apps: readonly string[] }): string => `Say which: --app ${apps[0] ?? ""}`,
  },
  FW605: {
    severity: "error",
    title: "Path outside the app",
    message: ({ path, app, prefix }: { path: string; app: string; prefix: string }): string =>
      `\`${path}\` does not begin with \`${prefix}\`, the prefix of the app \`${app}\`.`,
    hint: ({ prefix }: { prefix: string }): string => `Give a path below ${prefix}/, or another app.`,
  },
  FW607: {
    severity: "error",
    title: "Bad param",
    message: ({ why }: { why: string; hint: string }): string => `${why}.`,
    hint: ({ hint }: { hint: string }): string => hint,
  },
  FW608: {
    severity: "error",
    title: "Name that is taken",
    message: ({ name, file, what }: { name: string; file: string; what: string }): string =>
      `\`${name}\` is taken: ${file} has ${what} of that name.`,
    hint: ({ hint }: { hint: string }): string => hint,
  },
  FW609: {
    severity: "error",
    title: "Handler with another signature",
    message: ({ name, signature }: { name: string; signature: string }): string =>
      `\`${name}\` is there already, with another signature: ${signature}.`,
    hint: ({ wanted, instead }: { wanted: string; instead: string }): string =>
      `Edit it there if it should be ${wanted}, or ${instead}`,
  },
  FW610: {
    severity: "error",
    title: "Route that is served already",
    message: ({ route, handler, file }: { route: string; handler: string; file: string }): string =>
      `${route} is served already, by \`${handler}\` in ${file}.`,
    hint: (): string => "Choose another path or param type, or change the handler that is there.",
  },
  FW611: {
    severity: "error",
    title: "Plan that does not fit the project",
    message: ({ what, why }: { what: string; why: string }): string => `${what} can't be made here: ${why}`,
    hint: ({ hint }: { hint: string | null }): string | null => hint,
  },
  FW612: {
    severity: "error",
    title: "File that can't be edited",
    message: ({ file, why }: { file: string; why: string }): string =>
      `${file} can't be edited by a generator: ${why}.`,
    hint: ({ hint }: { hint: string }): string => hint,
  },
  FW613: {
    severity: "error",
    title: "App that is there already",
    message: ({ app, why }: { app: string; why: string; hint: string }): string =>
      `The app \`${app}\` is there already: ${why}.`,
    hint: ({ hint }: { hint: string }): string => hint,
  },
  FW614: {
    severity: "error",
    title: "Unknown method",
    message: ({ word }: { word: string; nearest: string | undefined; methods: readonly string[] }): string =>
      `\`${word}\` is neither a method nor a param.`,
    hint: ({ nearest, methods }: { nearest: string | undefined; methods: readonly string[] }): string =>
      nearest === undefined
        ? `The methods are ${methods.join(", ")}; a param is written item_id:int.`
        : `Did you mean \`${nearest}\`?`,
  },
  FW615: {
    severity: "error",
    title: "App that is not said",
    message: ({ name, apps }: { name: string; apps: readonly string[] }): string =>
      apps.length === 0
        ? `The project has no app for \`${name}\`.`
        : `Which app gets \`${name}\` is not said.`,
    hint: ({ apps }: { apps: readonly string[] }): string =>
      apps.length === 0 ? "Make one: npx framework generate app products" : `Name one of ${apps.join(", ")}.`,
  },
  FW616: {
    severity: "error",
    title: "Path of several route files",
    message: ({ path, files }: { path: string; files: readonly string[]; as: string }): string =>
      `\`${path}\` has the shape of several files: ${files.join(", ")}.`,
    hint: ({ as }: { as: string }): string => `Name the params as the file you mean does, such as \`${as}\`.`,
  },
  FW617: {
    severity: "error",
    title: "Code that was edited",
    message: ({ what }: { what: string }): string =>
      `${what} is not as a generator writes it, so nothing was taken out.`,
    hint: (): string => "Take it out by hand if it is not needed any more.",
  },
  FW618: {
    severity: "error",
    title: "App with code of its own",
    message: ({ app, what }: { app: string; what: string }): string =>
      `The app \`${app}\` has code that no generator wrote, so nothing was taken out: ${what}.`,
    hint: ({ app }: { app: string }): string =>
      `Take that out by hand first, or all of apps/${app}/ and its name in framework.toml.`,
  },
  FW619: {
    severity: "error",
    title: "Removal that does not fit the project",
    message: ({ what, why }: { what: string; why: string }): string => `${what} can't be taken out: ${why}`,
    hint: ({ hint }: { hint: string }): string => hint,
  },
  FW620: {
    severity: "error",
    title: "Handler with other params than were named",
    message: ({ name, signature }: { name: string; signature: string }): string =>
      `\`${name}\` has another signature: ${signature}.`,
    hint: ({ wanted }: { wanted: string }): string =>
      `Name its own params, or leave them out, if it is meant; a handler with ${wanted} is not there.`,
  },

  FW621: {
    severity: "error",
    title: "File that changed meanwhile",
    message: ({ file }: { file: string }): string =>
      `${file} changed since it was read, so nothing was written.`,
    hint: (): string => "Run the command again.",
  },
  FW622: {
    severity: "error",
    title: "File that can't be written",
    message: ({ file, why }: { file: string; why: string }): string =>
      `${file} can't be written: ${why}. Nothing was changed.`,
    hint: (): string => "Put that right, and run the command again.",
  },
  FW623: {
    severity: "error",
    title: "File outside the project",
    message: ({ file }: { file: string }): string =>
      `${file} leads out of the project by a symbolic link, so nothing was written.`,
    hint: (): string => "Replace the link by a real file or folder.",
  },
  FW624: {
    severity: "error",
    title: "Change that was not taken back",
    message: ({ file, why, left }: { file: string; why: string; left: readonly string[] }): string =>
      `${file} can't be written: ${why}. What was begun could not be taken back in ${left.join(", ")}.`,
    hint: (): string =>
      "Mend the cause; the next `framework generate` or `destroy` then puts them right before anything else.",
  },
  FW625: {
    severity: "error",
    title: "Project in use",
    message: ({ holder }: { holder: string; lock: string }): string =>
      `For half a minute ${holder} has been changing this project, so nothing was done.`,
    hint: ({ lock }: { holder: string; lock: string }): string =>
      `Wait for it to end. If it is no \`framework\` command, remove the folder ${lock}.`,
  },
  FW626: {
    severity: "error",
    title: "Sample that stays",
    message: ({ file, handler }: { file: string; handler?: string; all?: string }): string =>
      handler === undefined
        ? `${file} is of a sample and has been edited, so nothing was taken out.`
        : `\`${handler}\` in ${file} is part of a sample, which is taken back only as a whole.`,
    hint: ({ all }: { file: string; handler?: string; all?: string }): string =>
      all === undefined
        ? "Delete by hand what is not needed any more, its tests too."
        : `Run \`${all}\`, or delete the handler and its tests by hand.`,
  },
} as const;
