import type { Kysely } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { createTable } from "./create-table.ts";

/** The audit log, and the two ends of its chain: `anchor` is before its first entry, `head` its last one. */
export async function createAudit(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTable(db, types, {
    name: "auditEntries",
    columns: {
      seq: "integer-key",
      date: "text",
      actorKind: "text",
      actorId: "text",
      actorName: "text",
      action: "text",
      outcome: "text",
      thingKind: "text",
      thingId: "text",
      fields: "text",
      omitted: "integer",
      address: "text",
      requestId: "text",
      hash: "text",
    },
  });
  const index = (name: string, column: string) =>
    db.schema.createIndex(name).on("auditEntries").columns([column, "seq"]).execute();
  await index("auditByDate", "date");
  await index("auditByActor", "actorId");
  await index("auditByActorName", "actorName");
  await index("auditByAction", "action");
  await index("auditByThing", "thingId");
  await createTable(db, types, {
    name: "auditChain",
    columns: { name: "key", seq: "integer", hash: "text", date: "text" },
  });
}
