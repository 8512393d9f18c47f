/** Why a generator wrote nothing, by permanent codes FW6xx. */

import { listed } from "../entry.ts";

export const GENERATORS = {
  FW601: {
    title: "Bad name",
    message: "{why}.",
    hint: "{hint}",
  },
  FW602: {
    title: "Unknown app",
    message: "There is no app `{app}`.",
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
      const known = apps.length === 0 ? "" : `The apps are ${listed(apps)}. `;
      return `${known}Make it with: npx framework generate app ${app}`;
    },
  },
  FW603: {
    title: "Path outside every app",
    message: "`{path}` does not begin with any app's prefix.",
    hint: "Name an app with --app, make an app with a fitting prefix, or serve it from a file: npx framework generate route {file}",
  },
  FW604: {
    title: "Path of several apps",
    message: "`{path}` begins with the prefix of several apps: {apps}.",
    hint: ({ apps }: { apps: readonly string[] }): string => `Choose one: --app ${apps[0] ?? ""}`,
  },
  FW605: {
    title: "Path outside the app",
    message: "`{path}` does not begin with `{prefix}`, the prefix of the app `{app}`.",
    hint: "Give a path below {prefix}/, or another app.",
  },
  FW607: {
    title: "Bad param",
    message: "{why}.",
    hint: "{hint}",
  },
  FW608: {
    title: "Name already taken",
    message: "{file} already has {what} named `{name}`.",
    hint: "{hint}",
  },
  FW609: {
    title: "Handler with another signature",
    message: "`{name}` already exists, with another signature: {signature}.",
    hint: "Edit it there if it should be {wanted}, or {instead}",
  },
  FW610: {
    title: "Route already served",
    message: "`{handler}` in {file} already serves {route}.",
    hint: "Choose another path or param type, or change that handler.",
  },
  FW611: {
    title: "Plan that does not fit the project",
    message: "{what} can't be made here: {why}",
    hint: ({ hint }: { hint: string | null }): string | null => hint,
  },
  FW612: {
    title: "File that can't be edited",
    message: "A generator can't edit {file}: {why}.",
    hint: "{hint}",
  },
  FW613: {
    title: "App already exists",
    message: "The app `{app}` already exists: {why}.",
    hint: "{hint}",
  },
  FW614: {
    title: "Unknown method",
    message: "`{word}` is neither a method nor a param.",
    hint: ({ nearest, methods }: { nearest: string | undefined; methods: readonly string[] }): string =>
      nearest === undefined
        ? `The methods are ${listed(methods)}; write a param as item_id:int.`
        : `Did you mean \`${nearest}\`?`,
  },
  FW615: {
    title: "No app named",
    message: ({ name, apps }: { name: string; apps: readonly string[] }): string =>
      apps.length === 0 ? `The project has no app for \`${name}\`.` : `Which app should get \`${name}\`?`,
    hint: ({ apps }: { apps: readonly string[] }): string =>
      apps.length === 0
        ? "Make one: npx framework generate app products"
        : `Name one with --app: ${apps.join(", ")}.`,
  },
  FW616: {
    title: "Path of several route files",
    message: "`{path}` fits several files: {files}.",
    hint: "Name the params as in the file that you mean, such as `{as}`.",
  },
  FW621: {
    title: "File changed in the meantime",
    message: "{file} has changed since it was read, so nothing was written.",
    hint: "Run the command again.",
  },
  FW622: {
    title: "File that can't be written",
    message: "{file} can't be written: {why}. Nothing was changed.",
    hint: "Fix that, and run the command again.",
  },
  FW623: {
    title: "File outside the project",
    message: "{file} leads out of the project by a symbolic link, so nothing was written.",
    hint: "Replace the link with a real file or folder.",
  },
  FW624: {
    title: "Change that could not be undone",
    message: "{file} can't be written: {why}. The changes in {left} could not be undone.",
    hint: "Fix the cause, and run the same command again: it completes what is missing.",
  },
  FW625: {
    title: "Project in use",
    message: "For half a minute {holder} has been changing this project, so nothing was done.",
    hint: "Wait for it to end. If it is not a `framework` command, remove the folder {lock}.",
  },
  FW627: {
    title: "Bad field",
    message: "{why}.",
    hint: "{hint}",
  },
  FW628: {
    title: "Method without a body",
    message: "A request with {method} has no body, so --body can't describe it.",
    hint: "Use --query, or one of the methods {methods}.",
  },
  FW629: {
    title: "Unknown folder",
    message: "`{folder}` is neither an app nor a folder of routes.",
    hint: ({ nearest, folders }: { nearest: string | undefined; folders: readonly string[] }): string =>
      nearest === undefined ? `Hooks can be in ${listed(folders)}.` : `Did you mean \`${nearest}\`?`,
  },
  FW630: {
    title: "Unknown provider",
    message: ({ name, file }: { name: string; file: string | undefined }): string =>
      `${file ?? "No file of the project"} ${file === undefined ? "exports" : "does not export"} a function \`${name}\`.`,
    hint: ({ name, nearest }: { name: string; nearest: string | undefined }): string => {
      const meant = nearest === undefined ? "" : `Did you mean \`${nearest}\`? `;
      return `${meant}Make it with: npx framework generate provider ${name}`;
    },
  },
  FW631: {
    title: "Provider of several files",
    message: "Several files export a function `{name}`.",
    hint: ({ words }: { words: readonly string[] }): string => `Choose one: --guard ${words.join(" or ")}`,
  },
  FW632: {
    title: "Guard that asks for something else",
    message: "{file} already has a guard, and it does not ask for `{name}`.",
    hint: "Add the parameter there by hand: `{parameter}`",
  },
  FW640: {
    title: "Project without a database",
    message: "The project has no database: {file} is missing.",
    hint: "Add one with: npx framework generate database sqlite",
  },
  FW641: {
    title: "Unknown table",
    message: "There is no table `{table}` for `{field}` to refer to.",
    hint: ({
      field,
      table,
      nearest,
      others,
    }: {
      field: string;
      table: string;
      nearest: string | undefined;
      others: readonly string[];
    }): string => {
      if (nearest !== undefined) return `Did you mean \`${field}:references:${nearest}\`?`;
      const other = others[0] === undefined ? "" : `Name another, as in ${field}:references:${others[0]}. `;
      return `${other}Make it with: npx framework generate resource ${table} name:string`;
    },
  },
  FW642: {
    title: "Resource with other fields",
    message: "The resource `{name}` already exists, and {file} differs from these fields.",
    hint: "Change its table with a migration: npx framework generate migration change_{table}",
  },
  FW643: {
    title: "Migration of another table",
    message: "{file} is there already, and does not create the table that these fields need.",
    hint: "If no database has applied it, delete it, and its lines in database/migrations/index.ts.",
  },
  FW644: {
    title: "File of a database already there",
    message: "{file} is there already, and the database needs a file of that name.",
    hint: "Move it, and run the command again.",
  },
  FW645: {
    title: "Database of the other engine",
    message: "The project has a database already, and its URL is of {used}.",
    hint: "For {engine}, set DATABASE_URL or write {url} there. The rest of the code stays.",
  },
} as const;
