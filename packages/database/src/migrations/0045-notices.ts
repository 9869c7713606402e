import { type Kysely, sql } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { createTable } from "./create-table.ts";

/** What people should look at, who has seen it, and where it is sent. */
export async function createNotices(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTable(db, types, {
    name: "notices",
    columns: {
      id: "key",
      kind: "text",
      thing: "text",
      period: "text",
      subjectId: "text",
      agentId: "nullable-text",
      name: "text",
      count: "integer",
      total: "nullable-integer",
      detail: "text",
      since: "text",
      resolvedDate: "nullable-text",
      updatedDate: "text",
    },
  });
  // Of a kind and a thing, one at a time is open.
  await db.schema.createIndex("noticesByThing").unique().on("notices").columns(["kind", "thing", "period"]).execute();
  await createTable(db, types, { name: "noticesSeen", columns: { noticeId: "key", owner: "key" } });
  await createTable(db, types, {
    name: "noticeChannels",
    columns: {
      id: "key",
      name: "text",
      kind: "text",
      destination: "text",
      shown: "text",
      kinds: "text",
      agents: "text",
      quietHours: "nullable-text",
      isEnabled: "integer",
      message: "nullable-text",
      attempts: "integer",
      nextDate: "nullable-text",
      error: "nullable-text",
      givenUpDate: "nullable-text",
      sentDate: "nullable-text",
      createdDate: "text",
      updatedDate: "text",
    },
  });
  await createTable(db, types, { name: "noticeQueue", columns: { channelId: "key", noticeId: "key" } });
  // Answers which agents fail without reading their runs. Only a run that fails is entered.
  await db.schema
    .createIndex("runsFailed")
    .on("runs")
    .columns(["updatedDate desc", "agentId", "chatType"])
    .where(sql<boolean>`"status" = 'failed'`)
    .execute();
  await db.schema
    .createIndex("documentLoadersFailing")
    .on("documentLoaders")
    .columns(["storeId", "id"])
    .where(sql<boolean>`"error" <> ''`)
    .execute();
}
