/** What reading the types of values on the wire can report. */

export const WIRE = {
  FW321: {
    title: "Enum",
    message: "`{name}` is an enum, and a request can't carry one.",
    hint: ({ name }: { name: string }): string =>
      [
        "Write the values as an object and the type as its values:",
        `const ${name} = { Admin: "admin", Guest: "guest" } as const;`,
        `type ${name} = (typeof ${name})[keyof typeof ${name}];`,
      ].join("\n"),
  },
  FW322: {
    title: "Class",
    message: "`{name}` is a class, and a request can't carry one.",
    hint: "Declare what its values look like: interface {name} { … }",
  },
  FW323: {
    title: "Type that no request can carry",
    message: "A request can't carry {what}.",
    hint: "Write {instead}.",
  },
  FW324: {
    title: "Type that is not evaluated",
    message: "This is {what}, which the framework does not evaluate.",
    hint: "Write {instead}.",
  },
  FW325: {
    title: "Union that nothing tells apart",
    message: "Nothing in a value tells `{one}` from `{other}`.",
    hint: "{instead}.",
  },
  FW326: {
    title: "Type from a package",
    message: '`{name}` comes from "{from}", and the types of packages are not read.',
    hint: "Declare the type in the project, or use a Standard Schema: Body<typeof schema>.",
  },
  FW327: {
    title: "Unknown type",
    message: "The type `{name}` can't be found: {why}.",
    hint: ({ nearest, right }: { nearest: string | undefined; right: string | undefined }): string => {
      if (right !== undefined) return `Write at the top: ${right}`;
      return nearest === undefined
        ? "Declare it, or import it from a file of the project."
        : `Did you mean \`${nearest}\`?`;
    },
  },
  FW328: {
    title: "Type without an end",
    message: "The type `{type}` can't be read: {why}.",
    hint: "{instead}.",
  },
  FW329: {
    title: "Type that no value fits",
    message: "No value fits `{type}`: {why}.",
    hint: "{instead}.",
  },
  FW330: {
    title: "Constraint in the wrong place",
    message: "`{constraint}` constrains {wanted}, but here it has {found}.",
    hint: "Write it like this: {example}",
  },
  FW331: {
    title: "Bad argument of a constraint",
    message: "`{constraint}` takes {wanted}, but this is `{found}`.",
    hint: "Write it like this: {example}",
  },
  FW332: {
    title: "Undefined in a value",
    message: "A request can't carry `{type}` here: JSON has no undefined.",
    hint: "Make the member optional with `?`, or write `null`.",
  },
  FW333: {
    title: "Missing property",
    message: "`{type}` has no property `{key}`.",
    hint: ({ nearest }: { nearest: string | undefined }): string =>
      nearest === undefined ? "Write a property that it has." : `Did you mean \`${nearest}\`?`,
  },
  FW334: {
    title: "Unsupported property name",
    message: "{what} can't be the name of a property here.",
    hint: "Write {instead}.",
  },
  FW335: {
    title: "Missing type argument",
    message: "`{name}` needs a type for `{parameter}`.",
    hint: "Write it like this: {example}",
  },
  FW336: {
    title: "Framework type in a value",
    message: "`{name}` belongs to the framework, so it can't be part of a value.",
    hint: "Make it the type of a parameter: {example}",
  },
  FW337: {
    title: "Unreadable constant",
    message: "The type of `{name}` can't be read: {why}.",
    hint: "{instead}.",
  },
} as const;
