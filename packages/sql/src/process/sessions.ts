import type { Client } from "pg";
import { toParts } from "../collect-rows.ts";
import { codeOf, wordsOf } from "../driver.ts";
import type { Asked, DatabaseAnswer, DatabaseRequest } from "./protocol.ts";
import { toOpen } from "./run-at-server.ts";

type SessionRequest = Extract<DatabaseRequest, { do: "open" | "query" | "close" }>;

/** Of one query, as JSON. */
const maxResultBytes = 64 * 1024 * 1024;

/** Persistent connections to PostgreSQL, for callers of one statement after the other. */
export function createSessions() {
  const clients = new Map<number, Client>();

  async function open(request: SessionRequest & { do: "open" }, { connection }: Asked): Promise<DatabaseAnswer> {
    const { openPostgresSession } = await import("../postgres.ts");
    const client = await openPostgresSession({ database: request.database, socket: toOpen(connection) });
    clients.set(request.session, client);
    client.once("end", () => clients.delete(request.session));
    return { kind: "done" };
  }

  async function query({ session, text, values }: SessionRequest & { do: "query" }, { tell }: Asked) {
    const client = clients.get(session);
    if (client === undefined) throw new Error("Connection terminated");
    const { rows, command, rowCount } = await client.query(text, [...values]);
    // The driver takes a server that is ready again for one that has answered.
    if (!command) throw new Error("The server ended its answer without a result.");
    let leftBytes = maxResultBytes;
    for (const part of toParts(rows)) {
      leftBytes -= JSON.stringify(part).length;
      if (leftBytes < 0) throw Object.assign(new Error("the answer is too large"), { code: "54000" });
      tell({ rows: part });
    }
    return { kind: "queried", command, rowCount } as const;
  }

  return {
    async answer(request: SessionRequest, asked: Asked): Promise<DatabaseAnswer> {
      try {
        if (request.do === "open") return await open(request, asked);
        if (request.do === "query") return await query(request, asked);
        await clients.get(request.session)?.end();
        return { kind: "done" };
      } catch (error) {
        const isLost = request.do === "open" || !clients.has(request.session);
        if (request.do === "open") asked.connection?.destroy();
        return { kind: "broken", code: codeOf(error), message: wordsOf(error), isLost };
      }
    },
  };
}
