/** Colours for the terminal. `kleur.enabled` decides for the whole process whether they are written. */

export { default as kleur } from "kleur";
