import { randomUUID } from "node:crypto";
import type { Database, Tables } from "@weft/database";
import { toMoment } from "@weft/schema";
import type { Kysely } from "kysely";

const runOf = { agentVersionId: "v", chatId: "c", sessionId: "s", lastSeq: 1, leaseEpoch: 1, leaseOwner: null };

/** A run as the journal leaves it, that ended or paused at `at`. */
export type RunFacts = { agentId: string; at: number; status: string; chatType?: string; asks?: boolean };

/** Rows such as the platform writes, of what there are notices about. */
export function rowsOf(database: Database) {
  const write = <T>(fn: (tx: Kysely<Tables>) => Promise<T>) => database.write(fn);
  return {
    async runs(count: number, { agentId, at, status, chatType = "EXTERNAL", asks = false }: RunFacts) {
      const summary = asks ? '{"question":"q","action":{"id":"a"}}' : '{"question":"q"}';
      const rows = Array.from({ length: count }, () => ({
        ...{ ...runOf, id: randomUUID(), agentId, chatType, status, summary, owner: "" },
        ...{ leaseUntil: 0, cancelRequested: 0, createdDate: toMoment(at), updatedDate: toMoment(at) },
        ...{ stoppedDate: toMoment(at), errorCode: null, turnOrder: null, takeOvers: 0, takeOverSeq: 0 },
        ...{ dueAt: null, durationMs: 1, totalTokens: 0, costNanos: null },
      }));
      for (let from = 0; from < rows.length; from += 500)
        await write((tx) =>
          tx
            .insertInto("runs")
            .values(rows.slice(from, from + 500))
            .execute(),
        );
      return rows.map(({ id }) => id);
    },
    budget: (name: string, day: string, runs: number) =>
      write((tx) =>
        tx
          .insertInto("budgets")
          .values({
            ...{ name, day, changedDay: day, accounts: "[]", runs },
            ...{ modelCalls: 0, toolCalls: 0, steps: 0, tokens: 0, costNanos: 0, bytes: 0 },
          })
          .onConflict((conflict) => conflict.columns(["name", "day"]).doUpdateSet({ runs }))
          .execute(),
      ),
    async delivery(
      agentId: string,
      at: number,
      { state, attempts }: { state: "PENDING" | "FAILED"; attempts: number },
    ) {
      const [id, now] = [randomUUID(), toMoment(at)];
      await write((tx) =>
        tx
          .insertInto("callbackDeliveries")
          .values({
            ...{ id, runId: randomUUID(), agentId, url: "https://a.example/secret", credential: "", seq: 1, state },
            ...{ attempts, nextDate: now, lastStatus: 500, error: "500", attemptDate: now, createdDate: now },
          })
          .execute(),
      );
      return id;
    },
    async loader(storeId: string, error: string) {
      const [id, now] = [randomUUID(), toMoment(0)];
      const configs = { splitterConfig: "{}", loaderConfig: "{}", metadata: "{}" };
      await write((tx) =>
        tx
          .insertInto("documentLoaders")
          .values({
            ...{ id, storeId, identity: id, loaderName: "Text", loader: "text", splitter: "", source: "a.txt", error },
            ...{ status: "SYNC", chunkSet: "", totalChunks: 0, totalChars: 0, chatAgentId: "", chatId: "" },
            ...{ ...configs, createdDate: now, updatedDate: now },
          })
          .execute(),
      );
      return id;
    },
    async store(name: string) {
      const [id, now] = [randomUUID(), toMoment(0)];
      const configs = {
        embeddingConfig: "{}",
        vectorStoreConfig: "{}",
        recordManagerConfig: "{}",
        retrievalConfig: "{}",
      };
      await write((tx) =>
        tx
          .insertInto("documentStores")
          .values({ id, name, description: "", ...configs, createdDate: now, updatedDate: now })
          .execute(),
      );
      return id;
    },
    schedule: (agentId: string, at: number) =>
      write((tx) =>
        tx
          .insertInto("schedules")
          .values({
            ...{ agentId, cron: "* * * * *", timeZone: "UTC", endDate: "", catchUp: "skip", enabled: 1 },
            ...{ nextDate: null, createdDate: toMoment(at), updatedDate: toMoment(at) },
          })
          .execute(),
      ),
    firing: (agentId: string, at: number, firing: { state: string; runId?: string }) =>
      write((tx) =>
        tx
          .insertInto("scheduleFirings")
          .values({
            agentId,
            dueDate: toMoment(at),
            createdDate: toMoment(at),
            message: "",
            runId: randomUUID(),
            ...firing,
          })
          .execute(),
      ),
    async channel(changes: Partial<Tables["noticeChannels"]> = {}) {
      const [id, now] = [randomUUID(), toMoment(0)];
      await write((tx) =>
        tx
          .insertInto("noticeChannels")
          .values({
            ...{ id, name: "Ops", kind: "slack", destination: "", shown: "", agents: '"all"', quietHours: null },
            kinds: '["failed-runs","channel-failing"]',
            ...{ isEnabled: 1, message: null, attempts: 0, nextDate: null, error: null, givenUpDate: null },
            ...{ sentDate: null, createdDate: now, updatedDate: now, ...changes },
          })
          .execute(),
      );
      return id;
    },
  };
}
