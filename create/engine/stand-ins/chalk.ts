/** Instead of `chalk` in the bundle: it colours only what the engine prints, which nobody sees; messages.ts speaks, with kleur. */

const same = (text: string): string => text;
const chalk: unknown = { gray: same, green: same, bold: { cyan: same } };
export default chalk;
