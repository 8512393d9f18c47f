/** What one TypeScript file declares, imports and exports at its top level, as plain data: no name is followed to another file yet. */

import type { Location } from "#runtime/routing/route";

export interface SourceModule {
  readonly file: string;
  /** By exported name; `export *` is in `stars`. */
  readonly exports: ReadonlyMap<string, ModuleExport>;
  readonly stars: readonly StarExport[];
  readonly values: ReadonlyMap<string, Value>;
  readonly types: ReadonlyMap<string, TypeDeclaration>;
  /** @returns the type that TypeScript gives a constant of this name, where its text alone says it; null where it does not. */
  readonly typeOfConstant: (name: string) => TypeExpression | null;
  /** By local name. */
  readonly imports: ReadonlyMap<string, ModuleImport>;
  /** What its statements import at run time, in their order. */
  readonly sources: readonly ImportSource[];
  /** What is wrong with the text. After a syntax error that the parser can't recover from, the module has nothing else. */
  readonly problems: readonly SyntaxProblem[];
  /** TypeScript in it that is more than types. */
  readonly inerasable: readonly InerasableSyntax[];
  readonly places: SourcePlaces;
}

/** Offsets in the text of a file. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where its statements are in the text, for those who edit it. */
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
  /** `import type { … }`, with the word for the whole statement. */
  readonly typeOnly: boolean;
  readonly names: readonly ImportedName[];
}

export interface ImportedName extends Span {
  /** The name in the module it comes from; `*` and `default` for those forms. */
  readonly imported: string;
  readonly local: string;
  /** It is in braces: `import { Request }`. */
  readonly isNamed: boolean;
  /** `import { type Request }`, with the word at this name. */
  readonly typeOnly: boolean;
}

/** @example test("title", …); // callee ["test"], text "title" */
export interface CallStatement extends Span {
  /** The names of `test.run`. */
  readonly callee: readonly string[];
  /** The first argument, if it is a string. */
  readonly text: string | undefined;
}

/** A specifier and its place. */
export interface ImportSource {
  readonly text: string;
  readonly location: Location;
}

export interface InerasableSyntax {
  /** As in "an enum". */
  readonly what: string;
  /** What to write in its place. */
  readonly instead: string;
  readonly location: Location;
}

export interface SyntaxProblem {
  readonly why: string;
  /** The name that the file declares or exports a second time, if that is what is wrong. */
  readonly twice?: string;
  readonly location: Location;
}

/** Either something of this file, by its local name, or by name something of another one; "*" is all of it as one object. */
export interface ModuleExport {
  readonly name: string;
  /** The specifier of the other file, or null. */
  readonly from: string | null;
  /** Erased with the types. */
  readonly typeOnly: boolean;
  readonly location: Location;
}

/** "*" imports all of the file as one object, "default" its default export. */
export interface ModuleImport {
  readonly name: string;
  readonly from: string;
  readonly typeOnly: boolean;
  readonly location: Location;
}

export type StarExport = Omit<ModuleImport, "name">;

/** What a top-level name means at run time. */
export type Value =
  | FunctionValue
  /** Another name for the same thing: `const a = b`. */
  | { readonly kind: "name"; readonly name: string; readonly location: Location }
  /** Something that may be a function, but not one that can be read here. */
  | { readonly kind: "opaque"; readonly why: string; readonly location: Location }
  /** Something that is not a function. */
  | {
      readonly kind: "other";
      readonly what: string;
      /** Of an object that is written out. */
      readonly entries?: readonly WrittenEntry[];
      readonly location: Location;
    };

/** What is between the commas of an object. */
export interface WrittenEntry {
  /** The text of what is not a property with a name. */
  readonly key: string;
  /** Undefined for what is not a literal. */
  readonly value: Literal | undefined;
  /** Of the value. */
  readonly text: string;
  readonly location: Location;
}

export interface FunctionValue {
  readonly kind: "function";
  readonly parameters: readonly Parameter[];
  /** The names of its own type parameters. */
  readonly generics: readonly string[];
  /** The type that the variable or a `satisfies` gives it, which types its untyped parameters. */
  readonly contextual: TypeExpression | null;
  /** What it says itself that it returns; null where it leaves that to TypeScript. Read when it is first asked for. */
  readonly returns: TypeExpression | null;
  /** Its other signatures, which callers see in place of its own. */
  readonly overloads?: readonly FunctionValue[];
  /** False for a declaration alone, as in `declare function` or an overload without an implementation. */
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
  /** What is written, or what a literal default makes of it; null where there is neither. */
  readonly type: TypeExpression | null;
  /** It has a `?` or a default. */
  readonly optional: boolean;
  /** The default, if it is a literal. */
  readonly default?: Literal;
  readonly location: Location;
}

/** `{ q, limit = 20 }: Query<…>` */
export interface DestructuredParameter {
  readonly kind: "destructured";
  readonly type: TypeExpression | null;
  /** It has a default. */
  readonly optional: boolean;
  /** Of its keys, those that are literals. */
  readonly defaults: ReadonlyMap<string, Literal>;
  readonly location: Location;
}

export type Literal = string | number | boolean | null;

/** A type as it is written: names are not followed, and nothing is evaluated. */
export type TypeExpression = { readonly text: string; readonly location: Location } & (
  | { readonly kind: "keyword"; readonly name: KeywordType }
  | { readonly kind: "literal"; readonly value: Exclude<Literal, null> }
  /** `int`, with a dot `framework.int`, with type arguments `Page<Product>`. */
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
  /** `${number}px`: one more text than types, around and between them. */
  | {
      readonly kind: "template";
      readonly texts: readonly string[];
      readonly types: readonly TypeExpression[];
    }
  /** @property what as in "a conditional type". */
  | { readonly kind: "other"; readonly what: string }
);

/** How a type names a value. */
export interface ValueName {
  /** The specifier of an import that is written in the type itself. */
  readonly from?: string;
  /** The names between the dots. */
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
  /** `...string[]`; the type is then the array's. */
  readonly rest: boolean;
}

/** What is between the braces of an object type or an interface. */
export type Member = { readonly location: Location } & (
  | {
      readonly kind: "property";
      readonly name: string;
      readonly type: TypeExpression | null;
      readonly optional: boolean;
    }
  /** `[key: string]: number` */
  | { readonly kind: "index"; readonly key: TypeExpression; readonly type: TypeExpression }
  /** A method, an accessor, a call signature, a computed name. @property what as in "a method". */
  | {
      readonly kind: "other";
      readonly what: string;
      /** Of a method. */
      readonly name?: string;
      readonly returns?: TypeExpression | null;
    }
);

/** A type that a file declares. Its parts are read when they are first asked for: most types are never asked for. */
export interface TypeDeclaration {
  readonly kind: "alias" | "interface" | "class" | "enum";
  readonly generics: readonly TypeParameter[];
  /** Of an interface an object type with the members of all its declarations; null for a class or an enum. */
  readonly type: TypeExpression | null;
  /** What an interface extends. */
  readonly bases: readonly TypeExpression[];
  readonly location: Location;
}

export interface TypeParameter {
  readonly name: string;
  /** `T = string` */
  readonly default: TypeExpression | null;
}

/** Declarations only, for a type checker: nothing in it runs. */
export function isDeclarationFile(file: string): boolean {
  return /\.d\.[cm]?ts$/.test(file);
}
