/** Why an upgrade was not made, or not yet: its findings by their permanent codes, FW80x. */

/** A code once given is never given to anything else. */
export const UPGRADE = {
  FW801: {
    severity: "error",
    title: "Package that can't be fetched",
    message: ({ wanted, why }: { wanted: string; why: string }): string =>
      `npm could not fetch ${wanted}: ${why}`,
    hint: (): string =>
      "A package that you have needs no network: npx framework upgrade --from ./create-convention-app-1.2.3.tgz",
  },
  FW802: {
    severity: "error",
    title: "No package of the framework",
    message: ({ from, why }: { from: string; why: string }): string =>
      `${from} can't be upgraded from: ${why}.`,
    hint: (): string =>
      "Give the tarball or the folder of create-convention-app, as in: npx framework upgrade --from ./create-convention-app-1.2.3.tgz",
  },
  FW803: {
    severity: "error",
    title: "Older version",
    message: ({ from, to }: { from: string; to: string }): string =>
      `${to} is older than ${from}, which this project has.`,
    hint: (): string => "If you mean to go back, add --force. Your edits are merged then, too.",
  },
  FW804: {
    severity: "error",
    title: "Edited file without a base",
    message: ({ file, version }: { file: string; version: string; record: string }): string =>
      `${file} was edited, and what it was in ${version} is not recorded any more, so that it can't be merged.`,
    hint: ({ record }: { record: string }): string =>
      `Bring back ${record}, as the project's history has it, or move the file away: then the new one takes its place.`,
  },
  FW805: {
    severity: "error",
    title: "Conflicts to be resolved",
    message: ({ conflicts, to }: { conflicts: number; from: string; to: string }): string =>
      conflicts === 1
        ? `You and ${to} changed the same lines in one place.`
        : `You and ${to} changed the same lines in ${conflicts} places.`,
    hint: ({ from }: { conflicts: number; from: string; to: string }): string =>
      `Edit these files until no mark is left, then: npx framework upgrade --continue. The project stays at ${from} until then; --abort gives the upgrade up.`,
  },
  FW806: {
    severity: "error",
    title: "Upgrade under way",
    message: ({ to, asked }: { to: string; asked: string }): string =>
      `An upgrade to ${to} is under way, so that none to ${asked} was begun.`,
    hint: (): string => "End it first: npx framework upgrade --continue, or --abort.",
  },
  FW807: {
    severity: "error",
    title: "File edited since the upgrade began",
    message: ({ file }: { file: string; to: string }): string =>
      `${file} is not what its conflict was made from any more.`,
    hint: ({ to }: { file: string; to: string }): string =>
      `Undo that edit, or begin again: npx framework upgrade --abort, then the upgrade to ${to}.`,
  },
  FW808: {
    severity: "error",
    title: "Framework that can't be upgraded",
    message: ({ file, why }: { file: string; why: string }): string =>
      `The project's framework can't be upgraded, because of ${file}: ${why}.`,
    hint: (): string => "Bring that file back, as the project's history has it.",
  },
  FW809: {
    severity: "error",
    title: "Upgrade whose note is damaged",
    message: ({ note, to }: { note: string; conflicts: string; to: string }): string =>
      `The upgrade to ${to} can't go on, because ${note} is damaged: it says what the conflicts were made from.`,
    hint: ({ conflicts, to }: { note: string; conflicts: string; to: string }): string =>
      `Copy what you have resolved out of ${conflicts}, then begin again: npx framework upgrade --abort, then the upgrade to ${to}.`,
  },
} as const;
