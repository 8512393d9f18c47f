/** Why an upgrade was not made, or not yet, by permanent codes FW80x. */

interface Unmerged {
  readonly count: number;
  readonly from: string;
  readonly why: string;
  /** Whether the original was not found. */
  readonly isLost: boolean;
  readonly folder: string;
  readonly command: string;
}

interface NoPackage {
  readonly from: string;
  readonly why: string;
  readonly option: "--from" | "--base";
}

export const UPGRADE = {
  FW801: {
    title: "Package that can't be fetched",
    message: "npm could not fetch {wanted}: {why}",
    hint: "Without a network, use a package that you have: npx framework upgrade --from ./create-convention-app-1.2.3.tgz",
  },
  FW802: {
    title: "Not a package of the framework",
    message: ({ from, why, option }: NoPackage): string =>
      `${option === "--from" ? "The project can't be upgraded from" : "--base can't take originals from"} ${from}: ${why}.`,
    hint: ({ option }: NoPackage): string =>
      `Give the tarball or the folder of create-convention-app${option === "--from" ? "" : " in the version that the project has"}, as in: npx framework upgrade ${option} ./create-convention-app-1.2.3.tgz`,
  },
  FW803: {
    title: "Older version",
    message: "{to} is older than {from}, which this project has.",
    hint: "To go back all the same, add --force. It merges your edits, too.",
  },
  FW804: {
    title: "Edited file that can't be merged",
    message: ({ count, from, why, isLost }: Unmerged): string =>
      `${count === 1 ? "An edit" : `Edits of ${count} files`} can't be merged${isLost ? ` without the original of ${from}` : ""}: ${why}`,
    hint: ({ from, isLost, folder, command }: Unmerged): string =>
      `Nothing was replaced. ${isLost ? `Give the original: --base <tarball or folder of ${from}>. Or merge` : "You can also merge"} each ….edited file in ${folder} by hand, and then: ${command} upgrade --continue`,
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
