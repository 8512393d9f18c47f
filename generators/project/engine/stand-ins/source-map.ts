/** Instead of `source-map` in the bundle: Handlebars loads it if it can, for precompiling with maps, and has its own fallback. */

export const SourceNode: undefined = undefined;
