import type { Database, Tables } from "@weft/database";
import type { PersonalChat } from "@weft/run-host";
import type { JsonObject } from "@weft/schema";
import type { Kysely } from "kysely";
import type { LoaderService } from "../loaders/loader.service.ts";
import { createDeleteVectors } from "../search/index.ts";
import { readChunks } from "../state/chunk.store.ts";
import type { StoreContext } from "../store-context.ts";
import type { DocumentLoaderRow } from "../tables.ts";

/** A document from a chat, as its loader and its passages. */
export type PersonalDocument = JsonObject & { passages: string[] };

export type ErasedDocuments = { documents: number; vectors: number; upserts: number };

/** A person's data in document stores: documents from uploads and flows of a chat. */
export type PersonalDocuments = {
  ofChat(chat: PersonalChat): AsyncGenerator<PersonalDocument>;
  /**
   * Including vectors, upserts and history; `removeRuns` removes the runs of these upserts. Rejects with `conflict`
   * during an upsert of the store.
   */
  erase(chat: PersonalChat, removeRuns: (ids: readonly string[]) => Promise<unknown>): Promise<ErasedDocuments>;
};

const rowsAtOnce = 200;
const isolation = { isolation: "read-committed" } as const;
/** A third-party vector database may be slow. */
const patienceMs = 60_000;

export function createPersonalDocuments(context: StoreContext, loaders: LoaderService): PersonalDocuments {
  const { database, files, vectors } = context;
  const { read } = database;
  const deleteVectors = createDeleteVectors(context);

  async function eraseOne(loader: LoaderOfChat, removeRuns: (ids: readonly string[]) => Promise<unknown>) {
    const { id, storeId } = loader;
    const vectorCount = await deleteVectors(storeId, { loaderId: id, signal: AbortSignal.timeout(patienceMs) });
    await removeRuns(await eraseUpserts(database, loader));
    const upserts = await eraseHistory(database, loader);
    await loaders.remove(storeId, id);
    return { documents: 1, vectors: vectorCount, upserts };
  }

  return {
    async *ofChat(chat) {
      for (const { id, storeId, chunkSet } of await listOfChat(read, chat)) {
        const passages: string[] = [];
        for (let afterNo = 0; ; ) {
          const rows = await readChunks(read, { loaderId: id, chunkSet }, { afterNo, limit: rowsAtOnce });
          passages.push(...rows.map(({ pageContent }) => pageContent));
          const last = rows.at(-1);
          if (last === undefined) break;
          afterNo = last.chunkNo;
        }
        yield { ...(await loaders.get(storeId, id)), passages };
      }
    },

    async erase(chat, removeRuns) {
      const erased: ErasedDocuments = { documents: 0, vectors: 0, upserts: 0 };
      for (const loader of await listOfChat(read, chat)) {
        const one = await eraseOne(loader, removeRuns);
        erased.documents += one.documents;
        erased.vectors += one.vectors;
        erased.upserts += one.upserts;
      }
      if (erased.documents === 0) return erased;
      await files.sweep(AbortSignal.timeout(patienceMs));
      await vectors.eraseRemoved(AbortSignal.timeout(patienceMs));
      return erased;
    },
  };
}

type LoaderOfChat = Pick<DocumentLoaderRow, "id" | "storeId" | "chunkSet">;

async function listOfChat(read: Kysely<Tables>, { agentId, chatId }: PersonalChat): Promise<LoaderOfChat[]> {
  if (chatId === "") return [];
  return read
    .selectFrom("documentLoaders")
    .select(["id", "storeId", "chunkSet"])
    .where("chatId", "=", chatId)
    .where("chatAgentId", "=", agentId)
    .orderBy("id")
    .execute();
}

/** Resolves with the runs of the upserts. */
async function eraseUpserts(database: Database, { id, storeId }: LoaderOfChat): Promise<string[]> {
  const erased = await database.write(async (tx) => {
    const named = tx.deleteFrom("upsertJobs").where("storeId", "=", storeId).where("spec", "like", `%${id}%`);
    return named.where("state", "!=", "open").returning("runId").execute();
  }, isolation);
  return erased.map(({ runId }) => runId);
}

/** Removes the loader from the history, and its passages from evaluations of the store's questions. */
async function eraseHistory(database: Database, { id, storeId }: LoaderOfChat): Promise<number> {
  return database.write(async (tx) => {
    await tx.updateTable("documentEvaluations").set({ outcomes: "" }).where("storeId", "=", storeId).execute();
    const history = tx.deleteFrom("upsertHistory").where("flowData", "like", `%${id}%`);
    return Number((await history.executeTakeFirstOrThrow()).numDeletedRows);
  }, isolation);
}
