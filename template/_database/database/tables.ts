/** The tables, with the types of their columns. `framework generate resource` adds to them. */
export interface Tables {}
