import { type RawBuilder, sql } from "kysely";
import type { Check, CheckDeps } from "./check.ts";

/** Whether the file of an SQLite database is whole, and whether rows lack the row that they belong to. */
export const integrityCheck: Check = {
  name: "integrity",
  async run(deps) {
    return [...(await damages(deps)), ...(await foreignRows(deps))].map((message) => ({ message }));
  },
};

async function damages({ read, dialect }: CheckDeps): Promise<string[]> {
  if (dialect !== "sqlite") return [];
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(3)`.execute(read);
  const found = rows.map(({ quick_check }) => quick_check).filter((text) => text !== "ok");
  if (found.length === 0) return [];
  return [
    `The database is damaged: ${found.join("\n").replaceAll("\n", "; ")}. Stop the server, keep a copy of the data folder, and restore the last backup: docs/backup.md.`,
  ];
}

/** Counts of rows whose owner is gone, each with its sentence. No server leaves such rows; damage and changes by hand do. */
const counts: readonly [query: RawBuilder<{ total: number | string }>, toSentence: (total: number) => string][] = [
  [
    sql`select count(*) as total from (select distinct "runId" from "runEvents") as journals
      where not exists (select 1 from "runs" where "runs"."id" = journals."runId")`,
    (total) => `There are journals of ${total} runs that do not exist. Restore a backup if runs are missing.`,
  ],
  [
    sql`select count(*) as total from "runs" where "status" in ('running', 'suspended')
      and not exists (select 1 from "runEvents" where "runEvents"."runId" = "runs"."id" and "runEvents"."seq" = "runs"."lastSeq")`,
    (total) =>
      `The journals of ${total} runs that go on or wait end too early, so these runs cannot go on. Restore a backup, or cancel them.`,
  ],
  [
    sql`select count(*) as total from "vectorRecords" where not exists
      (select 1 from "vectorCollections" where "vectorCollections"."collectionKey" = "vectorRecords"."collectionKey")`,
    (total) =>
      `There are ${total} embedded vectors that belong to no collection, so no search finds them. Upsert the document stores again.`,
  ],
];

async function foreignRows({ read }: CheckDeps): Promise<string[]> {
  const sentences: string[] = [];
  for (const [query, toSentence] of counts) {
    const total = Number((await query.execute(read)).rows[0]?.total ?? 0);
    if (total > 0) sentences.push(toSentence(total));
  }
  return sentences;
}
