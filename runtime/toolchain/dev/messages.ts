/** What the supervisor and its workers say to each other. Sockets travel beside `connection`. */

export type ToWorker =
  | { readonly kind: "load" }
  | { readonly kind: "connection" }
  | { readonly kind: "drain" };

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** What a worker answers to `load`: it serves the project, or, when that has errors, an answer that says so. */
export interface Served {
  readonly address: Address;
  readonly routes: number;
  readonly apps: number;
  /** What is wrong, for the terminal; `failed` when nothing of the project could be served. */
  readonly findings: string;
  readonly failed: boolean;
}
