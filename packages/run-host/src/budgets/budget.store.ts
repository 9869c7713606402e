import type { Tables } from "@weft/database";
import { type Kysely, sql } from "kysely";

/** Amounts taken: by an account in a day, or, with an empty day, by a run and all that it started. */
export type BudgetRow = Record<Amount, number> & {
  name: string;
  day: string;
  changedDay: string;
  /** For a run: the names of the accounts that it counts towards, as JSON. */
  accounts: string;
};

declare module "@weft/database" {
  interface Tables {
    budgets: BudgetRow;
  }
}

const amounts = ["runs", "modelCalls", "toolCalls", "steps", "tokens", "costNanos", "bytes"] as const;
export type Amount = (typeof amounts)[number];
export type Amounts = Partial<Record<Amount, number>>;

/** A row and its limits; an absent amount is unlimited. */
export type BudgetAccount = Pick<BudgetRow, "name" | "day" | "changedDay"> & { most: Amounts };

const budgets = sql.table("budgets");

/**
 * Adds to a row if `needs` fits into it, in one statement, so that no other process comes between. Resolves with the
 * amount that does not fit, in which case nothing was added.
 */
export async function takeFrom(
  tx: Kysely<Tables>,
  { name, day, changedDay, most }: BudgetAccount,
  adds: Amounts,
  needs: Amounts = adds,
): Promise<Amount | undefined> {
  const wanted = amounts.filter((amount) => (needs[amount] ?? 0) > 0 && most[amount] !== undefined);
  const room = (amount: Amount) => (most[amount] ?? 0) - (needs[amount] ?? 0);
  const impossible = wanted.find((amount) => room(amount) < 0);
  if (impossible !== undefined) return impossible;
  const values = amounts.map((amount) => adds[amount] ?? 0);
  const sums = amounts.map(
    (amount) => sql`${sql.ref(amount)} = "own".${sql.ref(amount)} + excluded.${sql.ref(amount)}`,
  );
  const fits = wanted.map((amount) => sql`"own".${sql.ref(amount)} <= ${Math.floor(room(amount))}`);
  const columns = ["name", "day", "changedDay", "accounts", ...amounts].map((column) => sql.ref(column));
  const { rows } = await sql`
    insert into ${budgets} as "own" (${sql.join(columns)})
    values (${sql.join([name, day, changedDay, "[]", ...values])})
    on conflict ("name", "day") do update set "changedDay" = excluded."changedDay", ${sql.join(sums)}
    where ${fits.length === 0 ? sql`1 = 1` : sql.join(fits, sql` and `)}
    returning "name"`.execute(tx);
  if (rows.length > 0) return undefined;
  const row = await findRow(tx, { name, day });
  return wanted.find((amount) => Number(row?.[amount] ?? 0) > room(amount)) ?? wanted[0];
}

/** Corrects a row's amounts. They never drop below zero, and a deleted row stays deleted. */
export async function correct(tx: Kysely<Tables>, { name, day }: BudgetOfDay, changes: Amounts): Promise<void> {
  const sets = amounts.flatMap((amount) => {
    const change = changes[amount] ?? 0;
    if (change === 0) return [];
    const column = sql.ref(amount);
    return [sql`${column} = case when ${column} + ${change} < 0 then 0 else ${column} + ${change} end`];
  });
  if (sets.length === 0) return;
  await sql`update ${budgets} set ${sql.join(sets)} where "name" = ${name} and "day" = ${day}`.execute(tx);
}

type BudgetOfDay = Pick<BudgetRow, "name" | "day">;
type RunKey = Pick<BudgetRow, "name" | "changedDay">;

/** Records the accounts that a run counts towards. */
export async function openRun(tx: Kysely<Tables>, run: RunKey, accounts: readonly string[]): Promise<void> {
  await tx
    .insertInto("budgets")
    .values({ ...empty, ...run, accounts: JSON.stringify(accounts) })
    .onConflict((conflict) => conflict.columns(["name", "day"]).doNothing())
    .execute();
}

/** Counts a run together with those it starts, as `runs` lists them. Idempotent: later calls change nothing. */
export async function shareRun(tx: Kysely<Tables>, run: RunKey, used: Amounts): Promise<void> {
  await tx
    .insertInto("budgets")
    .values({ ...empty, ...run, ...used, runs: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["name", "day"])
        .doUpdateSet({ ...used, runs: 1 })
        .where("budgets.runs", "=", 0),
    )
    .execute();
}

const empty = {
  day: "",
  accounts: "[]",
  runs: 0,
  modelCalls: 0,
  toolCalls: 0,
  steps: 0,
  tokens: 0,
  costNanos: 0,
  bytes: 0,
};

export async function findRow(db: Kysely<Tables>, { name, day }: BudgetOfDay): Promise<BudgetRow | undefined> {
  return db.selectFrom("budgets").selectAll().where("name", "=", name).where("day", "=", day).executeTakeFirst();
}

/** Removes all days of these names. */
export async function removeRows(tx: Kysely<Tables>, names: readonly string[]): Promise<void> {
  if (names.length > 0)
    await tx
      .deleteFrom("budgets")
      .where("name", "in", [...new Set(names)])
      .execute();
}

/** Removes past days, and runs that took nothing for a long time. */
export async function removeOld(tx: Kysely<Tables>, before: { day: string; run: string }): Promise<void> {
  await tx.deleteFrom("budgets").where("day", "<>", "").where("day", "<", before.day).execute();
  await tx.deleteFrom("budgets").where("day", "=", "").where("changedDay", "<", before.run).execute();
}
