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
    title: "Edited file without its original",
    message: ({ count, from, why }: { count: number; from: string; why: string }): string =>
      `${count === 1 ? "An edit" : `Edits of ${count} files`} can't be merged without the original of ${from}: ${why}`,
    hint: "Nothing was replaced. Give the original: --base <tarball or folder of {from}>. Or merge each ….edited file in {folder} by hand, and then: {command} upgrade --continue",
  },
  FW805: {
    title: "Conflicts to resolve",
    message: ({ conflicts, to }: { conflicts: number; to: string }): string =>
      `You and ${to} changed the same lines in ${conflicts === 1 ? "one place" : `${conflicts} places`}.`,
    hint: "Edit these files until no mark is left, then: {command} upgrade --continue. The project stays at {from} until then. To cancel: {command} upgrade --abort",
  },
  FW806: {
    title: "Upgrade under way",
    message: "An upgrade waits for you in {folder}, so none to {asked} was started.",
    hint: "Finish it: {command} upgrade --continue; or remove it: {command} upgrade --abort",
  },
  FW808: {
    title: "Framework that can't be upgraded",
    message: "The project's framework can't be upgraded because of {file}: {why}.",
    hint: "Restore that file from the project's history.",
  },
  FW810: {
    title: "Framework that can't be replaced",
    message: ({ why, away }: { why: string; away: string | undefined }): string =>
      `The framework can't be replaced: ${why}. ${away === undefined ? "Nothing was changed" : `It is in ${away} now`}.`,
    hint: ({ away }: { away: string | undefined }): string =>
      away === undefined
        ? "Fix that, or stop what uses vendor/framework, such as `framework dev`, and run the command again."
        : `Fix that, and rename the folder: mv ${away} vendor/framework`,
  },
} as const;
