/** Why an upgrade was not made, or not yet, by permanent codes FW80x. */

export const UPGRADE = {
  FW801: {
    title: "Package that can't be fetched",
    message: "npm could not fetch {wanted}: {why}",
    hint: "Without a network, use a package that you have: npx framework upgrade --from ./create-convention-app-1.2.3.tgz",
  },
  FW802: {
    title: "Not a package of the framework",
    message: "The project can't be upgraded from {from}: {why}.",
    hint: "Give the tarball or the folder of create-convention-app, as in: npx framework upgrade --from ./create-convention-app-1.2.3.tgz",
  },
  FW803: {
    title: "Older version",
    message: "{to} is older than {from}, which this project has.",
    hint: "To go back all the same, add --force. It merges your edits, too.",
  },
  FW804: {
    title: "Edited file without a base",
    message: "{file} has been edited and can't be merged: its original from {version} is no longer recorded.",
    hint: "Restore {record} from the project's history, or move the file away to get the new one.",
  },
  FW805: {
    title: "Conflicts to resolve",
    message: ({ conflicts, to }: { conflicts: number; to: string }): string =>
      `You and ${to} changed the same lines in ${conflicts === 1 ? "one place" : `${conflicts} places`}.`,
    hint: "Edit these files until no mark is left, then: npx framework upgrade --continue. The project stays at {from} until then; --abort cancels the upgrade.",
  },
  FW806: {
    title: "Upgrade under way",
    message: "An upgrade to {to} is under way, so none to {asked} was started.",
    hint: "End it first: npx framework upgrade --continue, or --abort.",
  },
  FW807: {
    title: "File edited since the upgrade began",
    message: "{file} has changed since the upgrade found its conflict.",
    hint: "Undo that edit, or start again: npx framework upgrade --abort, then the upgrade to {to}.",
  },
  FW808: {
    title: "Framework that can't be upgraded",
    message: "The project's framework can't be upgraded because of {file}: {why}.",
    hint: "Restore that file from the project's history.",
  },
  FW809: {
    title: "Damaged note of an upgrade",
    message: "The upgrade to {to} can't continue: {note}, which records its conflicts, is damaged.",
    hint: "Copy what you have resolved out of {conflicts}, then start again: npx framework upgrade --abort, then the upgrade to {to}.",
  },
} as const;
