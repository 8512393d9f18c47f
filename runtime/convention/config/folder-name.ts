/** What a folder of sources may be called on every system; above all that of an app, whose name it has. */

/** Why an app can't be called so, and what to do. */
export interface BadAppName {
  readonly why: string;
  readonly hint: string;
}

const APP_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
const LONGEST_APP_NAME = 100;
/** Windows opens a device of that name, in every folder and with any ending. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

export function isAppName(name: string): boolean {
  return badAppName(name) === undefined;
}

/**
 * An app's name is that of its folder, which has to be one on every system, and one that holds sources.
 *
 * @example badAppName("products") // undefined
 */
export function badAppName(name: string): BadAppName | undefined {
  const bad = (shown: string, why: string, hint: string): BadAppName => {
    return { why: `\`${shown}\` can't be the name of an app: ${why}`, hint };
  };
  if (name.length > LONGEST_APP_NAME) {
    const why = `the name of its folder would be longer than ${LONGEST_APP_NAME} characters`;
    return bad(`${name.slice(0, 40)}…`, why, "Choose a shorter name.");
  }
  if (!APP_NAME.test(name)) {
    const why = "it is the name of a folder, and holds something that can't stand in one everywhere";
    return bad(name, why, "Use letters, digits, `_` and `-`; the first one a letter or a digit.");
  }
  const why = explainDeviceName(name) ?? explainHiddenFolder(name);
  return why === undefined ? undefined : bad(name, why, "Choose another name.");
}

/** Why no file or folder can have the name on every system; undefined for one that can. */
export function explainDeviceName(name: string): string | undefined {
  return DEVICE_NAME.test(name) ? "Windows keeps it for a device" : undefined;
}

/**
 * Why a folder of this name holds no sources, at any depth; undefined for one that does. Case does not count, since not every
 * file system tells it apart.
 */
export function explainHiddenFolder(name: string): string | undefined {
  switch (name.toLowerCase()) {
    case "node_modules":
      return "Node erases no types in a folder of that name, and .gitignore leaves it out";
    case "dist":
      return ".gitignore leaves out a folder of that name, and `framework dev` does not watch it";
    default:
      return undefined;
  }
}
