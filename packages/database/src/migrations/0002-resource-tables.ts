import type { Kysely } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { createTable } from "./create-table.ts";

/** Variables, tools, assistants, visitors' data of an agent (feedback, leads, files), and repeated requests. */
export async function createResourceTables(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createLibraryTables(db, types);
  await createVisitorTables(db, types);
  await createTable(db, types, {
    name: "idempotencyKeys",
    columns: { keyHash: "key", bodyHash: "text", resourceId: "text", createdDate: "text", answer: "nullable-text" },
  });
  await db.schema.createIndex("idempotencyKeysByDate").on("idempotencyKeys").column("createdDate").execute();
}

/** Tables independent of agents. */
async function createLibraryTables(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const dates = { createdDate: "text", updatedDate: "text" } as const;
  await createTable(db, types, {
    name: "variables",
    columns: { id: "key", name: "text", type: "text", ...dates, value: "nullable-text" },
  });
  await createTable(db, types, {
    name: "tools",
    columns: {
      id: "key",
      name: "text",
      description: "text",
      color: "text",
      ...dates,
      iconSrc: "nullable-text",
      schema: "nullable-text",
      func: "nullable-text",
    },
  });
  await createTable(db, types, {
    name: "assistants",
    columns: { id: "key", credential: "text", iconSrc: "text", ...dates, versionId: "text", details: "text" },
  });
  for (const table of ["variables", "tools", "assistants"]) {
    await db.schema.createIndex(`${table}ByUpdate`).on(table).columns(["updatedDate desc", "id"]).execute();
  }
}

/** Tables of an agent's data, deleted with it. */
async function createVisitorTables(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTable(db, types, {
    name: "feedback",
    columns: {
      id: "key",
      chatflowid: "text",
      chatId: "text",
      messageId: "text",
      rating: "text",
      createdDate: "text",
      content: "text",
    },
  });
  await db.schema.createIndex("feedbackByMessage").on("feedback").column("messageId").unique().execute();
  await createTable(db, types, {
    name: "leads",
    columns: {
      id: "key",
      chatflowid: "text",
      chatId: "text",
      name: "text",
      email: "text",
      phone: "text",
      createdDate: "text",
    },
  });
  await createTable(db, types, {
    name: "upsertHistory",
    columns: {
      id: "key",
      chatflowid: "text",
      date: "text",
      deletedDate: "nullable-text",
      result: "text",
      flowData: "text",
    },
  });
  await createTable(db, types, {
    name: "files",
    columns: {
      id: "key",
      agentId: "text",
      chatId: "text",
      name: "text",
      mime: "text",
      sizeBytes: "integer",
      createdDate: "text",
      bytes: "bytes",
    },
  });
  const index = (name: string, table: string, columns: string[]) =>
    db.schema.createIndex(name).on(table).columns(columns).execute();
  await index("feedbackByAgent", "feedback", ["chatflowid", "createdDate", "id"]);
  await index("leadsByAgent", "leads", ["chatflowid", "createdDate", "id"]);
  await index("upsertHistoryByAgent", "upsertHistory", ["chatflowid", "date", "id"]);
  await index("filesByChat", "files", ["agentId", "chatId", "createdDate", "id"]);
}
