/** Codes that are given no more. None of them is ever given to anything else. */

import type { CATALOGUE } from "./catalogue.ts";

/** By the code that reports the same now. */
const MERGED: { readonly [Code in keyof typeof CATALOGUE]?: readonly string[] } = {
  FW103: ["FW116"],
  FW104: ["FW105", "FW106", "FW108", "FW111", "FW117", "FW118", "FW119", "FW121", "FW122", "FW123"],
  FW107: ["FW120"],
  FW109: ["FW110"],
  FW113: ["FW114"],
  FW201: ["FW205", "FW211"],
  FW202: ["FW206"],
  FW203: ["FW204"],
  FW212: ["FW213", "FW402", "FW405"],
  FW221: ["FW222"],
  FW224: ["FW232", "FW235"],
  FW225: ["FW220", "FW226", "FW227", "FW233", "FW234"],
  FW303: ["FW349"],
  FW307: ["FW309", "FW310"],
  FW312: ["FW223", "FW317", "FW356"],
  FW315: ["FW353"],
  FW319: ["FW209", "FW314"],
  FW323: ["FW321", "FW322", "FW332"],
  FW324: ["FW334"],
  FW327: ["FW313", "FW333", "FW359"],
  FW328: ["FW308", "FW326", "FW337"],
  FW340: ["FW331", "FW335", "FW350"],
  FW341: ["FW336"],
  FW344: ["FW342"],
  FW345: ["FW346"],
  FW347: ["FW354"],
  FW348: ["FW355"],
  FW351: ["FW403"],
  FW352: ["FW357", "FW358"],
  FW361: ["FW362"],
  FW370: ["FW372", "FW373"],
  FW401: ["FW404"],
  FW411: ["FW412"],
  FW501: ["FW502", "FW505", "FW506"],
  FW601: ["FW607", "FW627", "FW628", "FW641"],
  FW602: ["FW614", "FW629", "FW630", "FW631"],
  FW603: ["FW605"],
  FW604: ["FW615", "FW616"],
  FW608: ["FW609", "FW613", "FW632", "FW642", "FW643", "FW644", "FW645"],
  FW622: ["FW621", "FW623"],
  FW827: ["FW820", "FW824", "FW840", "FW842"],
  FW829: ["FW831", "FW832"],
  FW836: ["FW841"],
  FW837: ["FW843"],
  FW920: ["FW921"],
};

/** What these were about is gone. */
const GONE: readonly string[] = [
  ...["FW214", "FW228", "FW229", "FW231"],
  ...["FW606", "FW617", "FW618", "FW619", "FW620", "FW626", "FW646"],
  ...["FW705", "FW708", "FW807", "FW809", "FW826", "FW830", "FW838", "FW844"],
];

/** By which code each is replaced; null for none. */
export const RETIRED: ReadonlyMap<string, string | null> = new Map<string, string | null>([
  ...GONE.map((code) => [code, null] as const),
  ...Object.entries(MERGED).flatMap(([code, retired]) => retired.map((one) => [one, code] as const)),
]);
