import {
  type Body,
  type DateTime, // if dates
  type From,
  HttpError,
  type int,
  type Max,
  type MaxLength, // if limited
  type Min,
  type Query,
  type Reply,
  type Request, // if flat
  reply,
} from "framework";
import { containsText } from "framework/database"; // if text
import type { database } from "#database/providers.ts";

/** {A thing} as it is sent to clients. */
export interface Thing {
  id: int;
  // each sent
  /** The id of one of the {others}. */ // if reference
  field: string;
  // end
}

// if secret
/** What a client sends for {a thing}. {Secrets} not sent back: hash what has to stay secret before you store it. */
// else
/** What a client sends for {a thing}. */
// end
export interface NewThing {
  field?: string; // each received
}

/** The fields of {a thing} that a client changes. */
export type ThingPatch = Partial<NewThing>;

/** Some of the {things}. */
export interface ThingPage {
  things: Thing[];
  /** The `after` of the next page. Null if this page has the last {thing}. */
  next: int | null;
}

const columns = [
  "id",
  "field", // each sent
] as const;

/**
 * Lists the {things} page by page, in the order of their ids.
 *
 * @param q Only {things} with this text in their {texts}. // if text
 * @param after The `next` of the previous page.
 * @param limit The most {things} on a page.
 */
export async function get_index(
  db: From<typeof database>,
  parent_id: int, // if nested
  q: Query<string> = "", // if text
  after: Query<int> = 0,
  limit: Query<int & Min<1> & Max<100>> = 20,
): Promise<ThingPage> {
  await requireParent(db, parent_id); // if nested
  const rows = await db
    .selectFrom("things")
    .select(columns)
    .where("parent_id", "=", parent_id) // if nested
    .where("id", ">", after)
    // if text
    .$if(q !== "", (query) =>
      query.where((where) =>
        where.or([
          containsText(where.ref("field"), q), // each text
        ]),
      ),
    )
    // end
    .orderBy("id")
    // One more than the page has shows whether there is a next page.
    .limit(limit + 1)
    .execute();
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { things: rows.slice(0, limit), next: last?.id ?? null };
}

/** Creates {a thing}. `Location` has its address. */
export async function post_index(
  request: Request, // if flat
  db: From<typeof database>,
  parent_id: int, // if nested
  thing: Body<NewThing>,
): Promise<Reply<Thing, 201>> {
  await requireParent(db, parent_id); // if nested
  const created = await db
    .insertInto("things")
    // if completed
    .values({
      field: null, // each defaulted
      ...thing,
      parent_id, // if nested
    })
    // else
    .values(thing)
    // end
    .returning(columns)
    .executeTakeFirstOrThrow();
  return reply(created, 201, {
    location: `${request.route.pattern}${created.id}`,
  });
}

/** Reads {a thing}. */
export async function get_$id(
  db: From<typeof database>,
  parent_id: int, // if nested
  id: int,
): Promise<Thing> {
  const row = await db
    .selectFrom("things")
    .select(columns)
    .where("parent_id", "=", parent_id) // if nested
    .where("id", "=", id)
    .executeTakeFirst();
  return found(row);
}

// if optional
/** Replaces {a thing}. An optional field that is left out becomes null. */
// else
/** Replaces {a thing}. */
// end
export async function put_$id(
  db: From<typeof database>,
  parent_id: int, // if nested
  id: int,
  thing: Body<NewThing>,
): Promise<Thing> {
  const row = await db
    .updateTable("things")
    // if optional
    .set({
      field: null, // each optional
      ...thing,
    })
    // else
    .set(thing)
    // end
    .where("parent_id", "=", parent_id) // if nested
    .where("id", "=", id)
    .returning(columns)
    .executeTakeFirst();
  return found(row);
}

/** Changes the fields of {a thing} that are sent. */
export async function patch_$id(
  db: From<typeof database>,
  parent_id: int, // if nested
  id: int,
  changes: Body<ThingPatch>,
): Promise<Thing> {
  // An update of nothing is not SQL.
  const isEmpty = Object.keys(changes).length === 0;
  if (isEmpty) return get_$id(db, /* if nested */ parent_id, /* end */ id);
  const row = await db
    .updateTable("things")
    .set(changes)
    .where("parent_id", "=", parent_id) // if nested
    .where("id", "=", id)
    .returning(columns)
    .executeTakeFirst();
  return found(row);
}

/** Deletes {a thing}. */
export async function delete_$id(
  db: From<typeof database>,
  parent_id: int, // if nested
  id: int,
): Promise<void> {
  const row = await db
    .deleteFrom("things")
    .where("parent_id", "=", parent_id) // if nested
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
  found(row);
}

/** @throws {HttpError} 404 without a row. */
function found<Row extends object>(row: Row | undefined): Row {
  if (!row) throw new HttpError(404, "There is no such {thing}");
  return row;
}

// if nested
/** @throws {HttpError} 404 without {a parent} of this id. */
async function requireParent(
  db: From<typeof database>,
  id: int,
): Promise<void> {
  const row = await db
    .selectFrom("parents")
    .select("id")
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) throw new HttpError(404, "There is no such {parent}");
}
// end
