/**
 * The parsed form of one source file, as plain data: its top-level declarations, imports and exports. Names are still unresolved.
 *
 * A type passes through these forms: source text → {@link SourceModule} (`reader.ts`) → {@link TypeExpression} (`types.ts`) → `Type`
 * with names resolved (`wire/read.ts`, `wire/type.ts`) → `Shape`, the JSON form (`wire/conversion.ts`) → JavaScript that validates
 * requests (`wire/code/module.ts`).
 */

import type { Location } from "#runtime/routing/route";

export interface SourceModule {
  /** The path relative to the project root. */
  readonly file: string;
  /** Exports by exported name. `stars` has the `export *` statements. */
  readonly exports: ReadonlyMap<string, ModuleExport>;
  readonly stars: readonly StarExport[];
  /** Declared functions, variables, classes, enums and namespaces by local name. */
  readonly values: ReadonlyMap<string, Value>;
  /** Declared types by local name. */
  readonly types: ReadonlyMap<string, TypeDeclaration>;
  /** @returns the type of a variable of this name, inferred from its declaration alone; null if that needs other declarations. */
  readonly typeOfConstant: (name: string) => TypeExpression | null;
  /** Imports by local name. */
  readonly imports: ReadonlyMap<string, ModuleImport>;
  /** The specifiers that its statements load at run time, in source order. */
  readonly sources: readonly ImportSource[];
  /** Syntax errors. After one that the parser can't recover from, the other fields are empty. */
  readonly problems: readonly SyntaxProblem[];
  /** TypeScript syntax that Node can't run by erasing types. */
  readonly inerasable: readonly InerasableSyntax[];
  readonly places: SourcePlaces;
}

/** Offsets in the text of a file. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The places of statements in the text, for code that edits it. */
export interface SourcePlaces {
  readonly imports: readonly ImportStatement[];
  readonly calls: readonly CallStatement[];
  readonly comments: readonly Span[];
  /** The offset of the first statement that declares each value. */
  readonly declarations: ReadonlyMap<string, number>;
  /** The offset after the shebang and the directives; 0 without them. */
  readonly headEnd: number;
  /** The offset of the first statement, or of the end where there is none. */
  readonly firstStatement: number;
}

export interface ImportStatement extends Span {
  readonly source: string;
  /** True for `import type { … }`: the whole statement. */
  readonly typeOnly: boolean;
  readonly names: readonly ImportedName[];
}

export interface ImportedName extends Span {
  /** The exported name in the other module; `*` for a namespace import, `default` for a default import. */
  readonly imported: string;
  readonly local: string;
  /** True for a name in braces: `import { Request }`. */
  readonly isNamed: boolean;
  /** True for `import { type Request }`: this name only. */
  readonly typeOnly: boolean;
}

/** A top-level call. @example test("title", …); // callee ["test"], text "title" */
export interface CallStatement extends Span {
  /** The dotted name of the function, split: `test.run` is ["test", "run"]. */
  readonly callee: readonly string[];
  /** The first argument, if it is a string. */
  readonly text: string | undefined;
}

/** A module specifier and its location. */
export interface ImportSource {
  readonly text: string;
  readonly location: Location;
}

export interface InerasableSyntax {
  /** The name of the syntax for messages, as in "an enum". */
  readonly what: string;
  /** The suggested replacement. */
  readonly instead: string;
  readonly location: Location;
}

export interface SyntaxProblem {
  readonly why: string;
  /** The duplicate name, if the problem is a second declaration or export of it. */
  readonly twice?: string;
  readonly location: Location;
}

/** An exported name: of a local declaration, or re-exported from another file. */
export interface ModuleExport {
  /** The local name, or the exported name in the other file; "*" for its whole namespace. */
  readonly name: string;
  /** The specifier of the other file; null for a local declaration. */
  readonly from: string | null;
  /** True for `export type`, interfaces and type aliases, which are erased. */
  readonly typeOnly: boolean;
  readonly location: Location;
}

/** An imported name: "*" is the namespace of the other file, "default" its default export. */
export interface ModuleImport {
  readonly name: string;
  readonly from: string;
  readonly typeOnly: boolean;
  readonly location: Location;
}

/** `export * from "…"` */
export type StarExport = Omit<ModuleImport, "name">;

/** The runtime meaning of a top-level name. */
export type Value =
  | FunctionValue
  /** An alias: `const a = b`. */
  | { readonly kind: "name"; readonly name: string; readonly location: Location }
  /** A value that may be a function, but can't be analysed. @property why as the end of a sentence, as in "it gets its value later". */
  | { readonly kind: "opaque"; readonly why: string; readonly location: Location }
  /** A value that is not a function. @property what as in "a class". */
  | {
      readonly kind: "other";
      readonly what: string;
      /** The entries of an object literal. */
      readonly entries?: readonly WrittenEntry[];
      readonly location: Location;
    };

/** An entry of an object literal. */
export interface WrittenEntry {
  /** The property name; for spreads, methods and computed keys the source text. */
  readonly key: string;
  /** The value, if it is a literal. */
  readonly value: Literal | undefined;
  /** The source text of the value. */
  readonly text: string;
  readonly location: Location;
}

export interface FunctionValue {
  readonly kind: "function";
  readonly parameters: readonly Parameter[];
  /** The names of the type parameters. */
  readonly generics: readonly string[];
  /** The contextual type, from the variable's annotation or `satisfies`: it types unannotated parameters. */
  readonly contextual: TypeExpression | null;
  /** The declared return type; null where it is inferred. Parsed at the first access. */
  readonly returns: TypeExpression | null;
  /** The overload signatures, which hide the implementation's signature from callers. */
  readonly overloads?: readonly FunctionValue[];
  /** False for a bodiless declaration: `declare function`, or an overload without an implementation. */
  readonly body: boolean;
  readonly location: Location;
}

export type Parameter =
  | PlainParameter
  | DestructuredParameter
  | { readonly kind: "rest"; readonly location: Location };

export interface PlainParameter {
  readonly kind: "plain";
  readonly name: string;
  /** The declared type, or the one inferred from a literal default; null without either. */
  readonly type: TypeExpression | null;
  /** True if it has a `?` or a default. */
  readonly optional: boolean;
  /** The default, if it is a literal. */
  readonly default?: Literal;
  readonly location: Location;
}

/** `{ q, limit = 20 }: Query<…>` */
export interface DestructuredParameter {
  readonly kind: "destructured";
  readonly type: TypeExpression | null;
  /** True if the whole parameter has a default. */
  readonly optional: boolean;
  /** The literal defaults by key. */
  readonly defaults: ReadonlyMap<string, Literal>;
  readonly location: Location;
}

export type Literal = string | number | boolean | null;

/** The syntax tree of a type, with its source text: names are unresolved and operators unevaluated. */
export type TypeExpression = { readonly text: string; readonly location: Location } & (
  | { readonly kind: "keyword"; readonly name: KeywordType }
  | { readonly kind: "literal"; readonly value: Exclude<Literal, null> }
  /** `int`, or qualified `framework.int`, or with type arguments `Page<Product>`. */
  | { readonly kind: "name"; readonly path: readonly string[]; readonly arguments: readonly TypeExpression[] }
  /** `import("framework").int` */
  | {
      readonly kind: "import";
      readonly from: string;
      readonly path: readonly string[];
      readonly arguments: readonly TypeExpression[];
    }
  | {
      readonly kind: "function";
      readonly parameters: readonly Parameter[];
      readonly returns: TypeExpression | null;
    }
  | { readonly kind: "union" | "intersection"; readonly of: readonly TypeExpression[] }
  | { readonly kind: "array"; readonly items: TypeExpression }
  | { readonly kind: "tuple"; readonly items: readonly TupleItem[] }
  | { readonly kind: "object"; readonly members: readonly Member[] }
  /** `Product["name"]`, `(typeof ROLES)[number]` */
  | { readonly kind: "indexed"; readonly object: TypeExpression; readonly index: TypeExpression }
  | { readonly kind: "keyof"; readonly of: TypeExpression }
  /** The type of a value: `typeof ROLES`, `typeof import("#auth/user.ts").requireUser`. */
  | ({ readonly kind: "typeof" } & ValueName)
  /** A template literal type, `${number}px`: the texts around the types, so one more text than types. */
  | {
      readonly kind: "template";
      readonly texts: readonly string[];
      readonly types: readonly TypeExpression[];
    }
  /** Syntax that is not supported. @property what as in "a conditional type". */
  | { readonly kind: "other"; readonly what: string }
);

/** The operand of `typeof`: a value's name. */
export interface ValueName {
  /** The specifier of an inline `import("…")`. */
  readonly from?: string;
  /** The dotted name, split. */
  readonly path: readonly string[];
}

export type KeywordType =
  | "any"
  | "bigint"
  | "boolean"
  | "never"
  | "null"
  | "number"
  | "object"
  | "string"
  | "symbol"
  | "undefined"
  | "unknown"
  | "void";

export interface TupleItem {
  readonly type: TypeExpression;
  readonly optional: boolean;
  /** True for `...string[]`; `type` is then the array. */
  readonly rest: boolean;
}

/** A member of an object type or an interface. */
export type Member = { readonly location: Location } & (
  | {
      readonly kind: "property";
      readonly name: string;
      readonly type: TypeExpression | null;
      readonly optional: boolean;
    }
  /** An index signature: `[key: string]: number`. */
  | { readonly kind: "index"; readonly key: TypeExpression; readonly type: TypeExpression }
  /** A method, an accessor, a call signature, a computed name. @property what as in "a method". */
  | {
      readonly kind: "other";
      readonly what: string;
      /** The name and the return type of a method. */
      readonly name?: string;
      readonly returns?: TypeExpression | null;
    }
);

/** A declared type. Its fields are parsed at the first access, because most types are never used. */
export interface TypeDeclaration {
  readonly kind: "alias" | "interface" | "class" | "enum";
  readonly generics: readonly TypeParameter[];
  /** The aliased type; for an interface or class an object type with its members, merged across declarations; null for an enum. */
  readonly type: TypeExpression | null;
  /** The types after `extends`. */
  readonly bases: readonly TypeExpression[];
  readonly location: Location;
}

export interface TypeParameter {
  readonly name: string;
  /** The default: `string` in `T = string`. */
  readonly default: TypeExpression | null;
}

/** True for a file of declarations without runtime code, `.d.ts`. */
export function isDeclarationFile(file: string): boolean {
  return /\.d\.[cm]?ts$/.test(file);
}
