/** What the contract of a project can report: FW9. What is not known, and what a document can't say, is info. */

export const CONTRACT = {
  FW900: {
    severity: "info",
    title: "Result that the source does not say",
    message: "The source does not say the type of `{type}`, which `{name}` returns.",
    hint: "Write the return type, as in `: Promise<User>`.",
  },
  FW901: {
    severity: "info",
    title: "Result that can't be sent",
    message: "`{name}` returns `{type}`, which has no JSON.",
    hint: "Return an object, an array, a text or a stream. Await a promise first.",
  },
  FW902: {
    severity: "info",
    title: "Type that the contract can't show",
    message: "The contract can't show `{type}`, so it allows anything in its place.",
    hint: "Write out the type: an interface or an object type of the project.",
  },
  FW910: {
    severity: "info",
    title: "Answer that the source does not say",
    message: "{what} is not known, so the contract allows anything in its place.",
    hint: "{instead}",
  },
  FW920: {
    severity: "info",
    title: "Results that could not be inferred",
    message: "The results without a written type are not known, because {why}.",
    hint: "{hint}, or write the return types.",
  },
  FW922: {
    severity: "info",
    title: "Result without a name",
    message: "What `{name}` returns is not known, because a type of its file can't be written out.",
    hint: "Write the return types of the file. TypeScript says: {why}",
  },
  FW930: {
    severity: "info",
    title: "Route that OpenAPI can't tell from another",
    message: "In OpenAPI, {hidden} is the same as {shown}, so the document leaves it out.",
    hint: "Put static text before one of the two params.",
  },
  FW931: {
    severity: "info",
    title: "Schema that is not in the document",
    message: "The document says nothing about `{name}` of {file}, which checks by itself.",
    hint: "`framework openapi --load-schemas` runs {file}, and asks `{name}` for its JSON Schema.",
  },
  FW932: {
    severity: "info",
    title: "Schema without a JSON Schema",
    message: "`{name}` of {file} gives no JSON Schema: {why}.",
    hint: "The document says nothing about it. A type would be in the document.",
  },
  FW933: {
    severity: "info",
    title: "Header that OpenAPI leaves out",
    message: "In OpenAPI, no parameter can be the header `authorization`, which {route} takes.",
    hint: "Take `token: Bearer` or `user: Basic`: they are in the document as security schemes.",
  },
  FW934: {
    severity: "info",
    title: "Route for every method",
    message: "{route} serves every method, so the contract leaves it out.",
    hint: "Export its methods by their names to describe them. A comment with `@hidden` leaves it out without a word.",
  },
  FW935: {
    severity: "info",
    title: "Operation that can't be called so",
    message: "The operation of this handler is called `{id}` and not `{name}`.",
    hint: "Each operation has a name of its own, made of letters, digits and `_`: `@operation listArticles`.",
  },
  FW970: {
    title: "Result that its type does not allow",
    message: "{route} answered with something that its type does not allow: {what}.",
    hint: "Correct the result, or the return type. A test that makes such a request fails.",
  },
  FW971: {
    severity: "warning",
    title: "Result with more than its type has",
    message: "{route} sends what its type does not have: {pointers}.",
    hint: "Leave it out of the result, or add it to the return type.",
  },
} as const;
