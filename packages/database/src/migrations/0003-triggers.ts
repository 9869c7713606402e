import type { Kysely } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { createTable } from "./create-table.ts";

/** Flows that start by themselves, and answers that are sent after a request. */
export async function createTriggerTables(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTable(db, types, {
    name: "schedules",
    columns: {
      agentId: "key",
      cron: "text",
      timeZone: "text",
      endDate: "text",
      catchUp: "text",
      enabled: "integer",
      nextDate: "nullable-text",
      createdDate: "text",
      updatedDate: "text",
    },
  });
  await db.schema.createIndex("schedulesByNext").on("schedules").column("nextDate").execute();
  await createTable(db, types, {
    name: "scheduleFirings",
    columns: { agentId: "key", dueDate: "key", runId: "text", state: "text", message: "text", createdDate: "text" },
  });
  await db.schema
    .createIndex("scheduleFiringsByState")
    .on("scheduleFirings")
    .columns(["state", "createdDate"])
    .execute();
  await createTable(db, types, {
    name: "callbacks",
    columns: {
      runId: "key",
      agentId: "text",
      url: "text",
      credential: "text",
      sentSeq: "integer",
      attempts: "integer",
      nextDate: "text",
      createdDate: "text",
    },
  });
  await db.schema.createIndex("callbacksByNext").on("callbacks").column("nextDate").execute();
}
