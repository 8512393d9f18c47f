/** English nouns in the singular and in the plural, as far as names of paths and tables need them. */

/** Singular and plural of what no rule forms. */
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ["analysis", "analyses"],
  ["bus", "buses"],
  ["child", "children"],
  ["foot", "feet"],
  ["goose", "geese"],
  ["half", "halves"],
  ["hero", "heroes"],
  ["knife", "knives"],
  ["leaf", "leaves"],
  ["life", "lives"],
  ["man", "men"],
  ["menu", "menus"],
  ["mouse", "mice"],
  ["person", "people"],
  ["potato", "potatoes"],
  ["quiz", "quizzes"],
  ["shelf", "shelves"],
  ["tomato", "tomatoes"],
  ["tooth", "teeth"],
  ["wolf", "wolves"],
  ["woman", "women"],
]);

const SINGULARS: ReadonlyMap<string, string> = new Map([...IRREGULAR].map(([one, all]) => [all, one]));

/** A word that it can't form stays. @example toSingular("categories") // "category" */
export function toSingular(word: string): string {
  const irregular = SINGULARS.get(word.toLowerCase());
  if (irregular !== undefined) return word.charAt(0) + irregular.slice(1);
  if (/(?:ss|us|is|news|series)$/i.test(word)) return word;
  if (/[^aeiou]ies$/i.test(word))
    return /^(?:mov|cook|pie|tie)/i.test(word) ? word.slice(0, -1) : `${word.slice(0, -3)}y`;
  return word.replace(/(?<=ss|sh|ch|x|[nprt]us)es$|(?<=.)s$/i, "");
}

/** The inverse of {@link toSingular}. @example toPlural("category") // "categories" */
export function toPlural(word: string): string {
  const irregular = IRREGULAR.get(word.toLowerCase());
  if (irregular !== undefined) return word.charAt(0) + irregular.slice(1);
  if (/[^aeiou]y$/i.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:ss|sh|ch|x|[nprt]us)$/i.test(word) ? `${word}es` : `${word}s`;
}
