/** `framework generate resource`: the table, the app and all that belongs to one kind of rows. */

import { planResource } from "#generators/resource/plan";
import type { Command } from "../command.ts";
import { GUARD_OPTION, printResult } from "../generate/generate.ts";
import { carryOut, PLAN_OPTIONS } from "../generate/run.ts";
import { readResourceInput } from "../generate/words.ts";

export const generateResource: Command = {
  usage: "framework generate resource <name> <field:type …> [options]",
  summary: "Add a table with an app that lists, creates, reads, changes and deletes its rows.",
  details:
    "It writes a migration, the table's types, the handlers with their test, and a row for `npm run seed`.\n" +
    "Write the fields as title:string pages:int subtitle:string?, where ? is for optional ones.\n" +
    'Their types are string, int, number, boolean and Date, and lists of texts such as "new"|"used".\n' +
    "A field such as isbn:string:unique has another value in each row.\n" +
    "A field author:references is the id of a row of `authors`, and author:references:writers of `writers`.\n" +
    "A field named password, secret, token or hash is stored and not sent to clients.",
  takesWords: true,
  options: {
    prefix: {
      type: "string",
      value: "<path>",
      description: "The path before its routes; /<name> by default.",
    },
    guard: GUARD_OPTION,
    under: {
      type: "string",
      value: "<name>",
      description: "The resource it refers to, under whose rows its routes are.",
    },
    ...PLAN_OPTIONS,
  },
  examples: [
    "framework generate resource authors name:string:unique",
    "framework generate resource books title:string pages:int subtitle:string? author:references",
    "framework generate resource books title:string --prefix /api/books --dry-run",
    "framework generate resource notes text:string --guard current_user",
    "framework generate resource projects name:string organisation:references --under organisations",
    'framework generate resource copies \'state:"new"|"used"\' bought_on:Date? book:references',
  ],
  run: (input) => carryOut(input, readResourceInput, planResource, printResult),
};
