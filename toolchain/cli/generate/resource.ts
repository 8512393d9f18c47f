/** `framework generate resource`: the table, the app and all that belongs to one kind of rows. */

import { planResource } from "#generators/resource/plan";
import { escapeControl } from "#runtime/escape";
import { type Command, type CommandInput, UsageError, value } from "../command.ts";
import { defineGenerator } from "./run.ts";
import { GUARD_OPTION, PREFIX_OPTION } from "./words.ts";

export const generateResource: Command = defineGenerator({
  usage: "framework generate resource <name> <field:type …> [options]",
  summary: "Add a table with an app that lists, creates, reads, changes and deletes its rows.",
  details:
    "It writes a migration, the table's types, the handlers with their test, and a row for `npm run seed`.\n" +
    "Write the fields as title:string pages:int subtitle:string?, where ? is for optional ones.\n" +
    'Their types are string, int, number, boolean and Date, and lists of texts such as "new"|"used".\n' +
    "A field such as isbn:string:unique has another value in each row.\n" +
    "A field author:references is the id of a row of `authors`, and author:references:writers of `writers`.\n" +
    "A field named password, secret, token or hash is stored and not sent to clients.",
  options: {
    prefix: PREFIX_OPTION,
    guard: GUARD_OPTION,
    under: value("<name>", "The resource it refers to, under whose rows its routes are."),
  },
  examples: [
    "framework generate resource authors name:string:unique",
    "framework generate resource books title:string pages:int subtitle:string? author:references",
    "framework generate resource books title:string --prefix /api/books --dry-run",
    "framework generate resource notes text:string --guard current_user",
    "framework generate resource projects name:string organisation:references --under organisations",
    'framework generate resource copies \'state:"new"|"used"\' bought_on:Date? book:references',
  ],
  read({ words: [name = "", ...fields], values }: CommandInput) {
    const example = "As in: framework generate resource books title:string pages:int";
    if (name.includes(":")) throw new UsageError("The resource's name comes before its fields.", example);
    if (fields.every((one) => one.trim() === ""))
      throw new UsageError(`Which fields should \`${escapeControl(name)}\` have?`, example);
    const { prefix, under, guard } = values;
    if (prefix !== undefined && under !== undefined)
      throw new UsageError(
        "Use either --prefix or --under.",
        "The path under another resource begins with the prefix of that one.",
      );
    return { name, fields, prefix, guard, under };
  },
  plan: planResource,
});
