import type { Database } from "@weft/database";
import type { WallClock } from "@weft/engine/ports/clock";
import { momentAfter, toMoment } from "@weft/schema";
import type { IdempotencyEntry, IdempotencyStore, KeptEntry } from "./idempotency.ts";

type Transaction = Parameters<Parameters<Database["write"]>[0]>[0];

/** The record of a request with an Idempotency-Key. */
export type IdempotencyKeyRow = {
  /** SHA-256 of the caller, the operation and the key. */
  keyHash: string;
  /** SHA-256 of the request. */
  bodyHash: string;
  /** Id of the item that the request creates, fixed in advance. */
  resourceId: string;
  /** When a request of this key last started, until it was answered. */
  createdDate: string;
  /** Text of the answer; null until there is one. */
  answer: string | null;
};

declare module "@weft/database" {
  interface Tables {
    idempotencyKeys: IdempotencyKeyRow;
  }
}

const lifetimeMs = 24 * 60 * 60 * 1_000;

export function createIdempotencyStore(database: Database, clock: WallClock): IdempotencyStore {
  const { dialect } = database;
  return {
    begin: (entry) =>
      database.write(
        async (tx) => {
          const now = clock.now();
          const outdated = toMoment(now - lifetimeMs);
          await tx.deleteFrom("idempotencyKeys").where("createdDate", "<", outdated).execute();
          for (;;) {
            const kept = (await insert(tx, entry, now)) ?? (await beginAgain({ dialect, tx }, entry, now));
            // It was forgotten in between.
            if (kept !== undefined) return kept;
          }
        },
        { isolation: "read-committed" },
      ),

    async finish(keyHash, answer) {
      await database.write(
        (tx) => tx.updateTable("idempotencyKeys").set({ answer }).where("keyHash", "=", keyHash).execute(),
        { isolation: "read-committed" },
      );
    },

    async forget({ keyHash, begunDate }) {
      const remove = (tx: Transaction) =>
        tx
          .deleteFrom("idempotencyKeys")
          .where("keyHash", "=", keyHash)
          .where("createdDate", "=", begunDate)
          .returning("keyHash")
          .executeTakeFirst();
      return (await database.write(remove, { isolation: "read-committed" })) !== undefined;
    },

    async forgetNamed(names) {
      let count = 0;
      for (let after: string | undefined = ""; after !== undefined; ) {
        const rows = await readSome(database, after);
        const named = rows.filter((row) => saysName(row, names)).map(({ keyHash }) => keyHash);
        if (named.length > 0) {
          await database.write((tx) => tx.deleteFrom("idempotencyKeys").where("keyHash", "in", named).execute(), {
            isolation: "read-committed",
          });
        }
        count += named.length;
        after = rows.at(-1)?.keyHash;
      }
      return count;
    },
  };
}

/** Undefined for a known key. */
async function insert(tx: Transaction, entry: IdempotencyEntry, now: number): Promise<KeptEntry | undefined> {
  const begunDate = toMoment(now);
  const made = await tx
    .insertInto("idempotencyKeys")
    .values({ ...entry, createdDate: begunDate, answer: null })
    .onConflict((conflict) => conflict.column("keyHash").doNothing())
    .returning("keyHash")
    .executeTakeFirst();
  return made && { ...entry, isNew: true, answer: null, begunDate };
}

type Beginning = { dialect: Database["dialect"]; tx: Transaction };

/** Records that a request without an answer starts once more. Undefined for an unknown key. */
async function beginAgain(
  { dialect, tx }: Beginning,
  { keyHash }: IdempotencyEntry,
  now: number,
): Promise<KeptEntry | undefined> {
  const known = tx.selectFrom("idempotencyKeys").selectAll().where("keyHash", "=", keyHash);
  const row = await (dialect === "postgres" ? known.forUpdate() : known).executeTakeFirst();
  if (row === undefined) return undefined;
  const { createdDate, ...kept } = row;
  if (kept.answer !== null) return { ...kept, isNew: false, begunDate: createdDate };
  const begunDate = momentAfter(createdDate, now);
  await tx.updateTable("idempotencyKeys").set({ createdDate: begunDate }).where("keyHash", "=", keyHash).execute();
  return { ...kept, isNew: false, begunDate };
}

const rowsAtOnce = 50;

function readSome({ read }: Database, after: string): Promise<IdempotencyKeyRow[]> {
  const rows = read.selectFrom("idempotencyKeys").selectAll().where("keyHash", ">", after);
  return rows.orderBy("keyHash").limit(rowsAtOnce).execute();
}

/** The strings of a JSON text are in quotation marks. One that contains a mark itself is not an id or an address. */
function saysName({ resourceId, answer }: IdempotencyKeyRow, names: ReadonlySet<string>): boolean {
  return names.has(resourceId) || (answer ?? "").split('"').some((piece) => names.has(piece));
}
