import type { ColumnType, GeneratedAlways } from "kysely";

declare module "../_database/database/tables.ts" {
  interface Tables {
    things: {
      id: GeneratedAlways<number>;
      field: ColumnType<
        string,
        string | null | undefined,
        string | null | undefined
      >;
      parent_id: ColumnType<number, number | undefined>;
    };
    parents: { id: GeneratedAlways<number>; field: string };
  }
}
