import { type Kysely, sql } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { createTable } from "./create-table.ts";

/**
 * Callbacks are sent as deliveries, each a row of its own. Webhooks whose flows do not say how callers prove themselves
 * accepted the older signature: they now say so, because the default is Standard Webhooks from here on.
 */
export async function createWebhookDeliveries(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTable(db, types, {
    name: "callbackDeliveries",
    columns: {
      id: "key",
      runId: "text",
      agentId: "text",
      url: "text",
      credential: "text",
      seq: "integer",
      state: "text",
      attempts: "integer",
      nextDate: "text",
      lastStatus: "integer",
      error: "nullable-text",
      attemptDate: "nullable-text",
      createdDate: "text",
    },
  });
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(name).on("callbackDeliveries").columns(columns).execute();
  await index("callbackDeliveriesByNext", ["state", "nextDate"]);
  await index("callbackDeliveriesByAgent", ["agentId", "createdDate", "id"]);
  await db.schema.dropIndex("callbacksByNext").execute();
  await db.schema.alterTable("callbacks").dropColumn("attempts").execute();
  await db.schema.alterTable("callbacks").dropColumn("nextDate").execute();
  for (const table of ["agents", "agentVersions"]) await keepOlderSignatures(db, table);
}

async function keepOlderSignatures(db: Kysely<unknown>, table: string): Promise<void> {
  const found = await sql<{ id: string; flowData: string }>`
    select ${sql.ref("id")}, ${sql.ref("flowData")} from ${sql.table(table)}
    where ${sql.ref("flowData")} like '%"weft"%' and ${sql.ref("flowData")} like '%"webhook"%'
  `.execute(db);
  for (const { id, flowData } of found.rows) {
    const changed = withOlderSignature(flowData);
    if (changed === undefined) continue;
    await sql`
      update ${sql.table(table)} set ${sql.ref("flowData")} = ${changed} where ${sql.ref("id")} = ${id}
    `.execute(db);
  }
}

type StoredNode = { type?: unknown; config?: { input?: unknown; webhook?: { auth?: unknown } } } | null;

/** The flow with the signature that its webhook accepted so far; undefined if nothing changes. */
export function withOlderSignature(flowData: string): string | undefined {
  try {
    const flow = JSON.parse(flowData) as { weft?: unknown; nodes?: StoredNode[] };
    if (flow.weft !== 1 || !Array.isArray(flow.nodes)) return undefined;
    const silent = flow.nodes.filter(
      (node) => node?.type === "start" && node.config?.input === "webhook" && node.config.webhook?.auth === undefined,
    );
    for (const node of silent) {
      const auth = { type: "standard-webhooks", acceptsOlderSignature: true };
      if (node?.config) node.config.webhook = { ...node.config.webhook, auth };
    }
    return silent.length === 0 ? undefined : JSON.stringify(flow);
  } catch {
    return undefined;
  }
}
