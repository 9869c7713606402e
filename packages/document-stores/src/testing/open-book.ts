import { createScriptedEmbeddingServer, type ScriptedEmbeddingOptions } from "@weft/providers/testing";
import type { DocumentStore, UpsertJob } from "@weft/schema";
import type { TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import type { PlatformProcess } from "../../../server/src/testing/platform-process.ts";
import { openProcessBench, shortLease } from "../../../server/src/testing/process-bench.ts";

type CountedTable = "documentChunks" | "documentFingerprints" | "documentRecords" | "vectorRecords" | "upsertHistory";
type Test = Parameters<TestDatabases["createTestStorage"]>[0];

/** The body of an upsert of that many passages, a chunk each. */
export function bookOf(passages: number, word?: string) {
  const text = Array.from({ length: passages }, (_, index) => passageOf(index, word)).join("\n\n");
  return {
    loader: { name: "plainText", config: { text } },
    splitter: { name: "recursiveCharacterTextSplitter", config: { chunkSize: 45, chunkOverlap: 0 } },
  };
}

export const passageOf = (index: number, word = "Passage") => `${word} number ${index} of a long book.`;

/** Real servers on one database, which have their embeddings from one scripted server. All end with the test. */
export async function openBook(t: Test, databases: TestDatabases, script?: ScriptedEmbeddingOptions["script"]) {
  const { storage, onEnd, start } = await openProcessBench(t, databases);
  const model = await createScriptedEmbeddingServer({ ...(script && { script }) });
  onEnd(() => model.close());
  return {
    model,
    /** How many texts the server was asked to embed, repetitions included. */
    embedded: () => model.requests.reduce((sum, { body }) => sum + (body as { input: string[] }).input.length, 0),
    /** Waits for that many requests for embeddings. */
    asked: (requests: number) => until(() => (model.requests.length >= requests ? true : undefined)),
    /** `isKilled`: others go on with what it does soon after. */
    start: ({ isKilled = false } = {}) =>
      start({ ...(isKilled && shortLease), OPENAI_API_KEY: "k", OPENAI_BASE_URL: model.url }),
    /** What the database holds. On SQLite for when no server runs. */
    async count() {
      const { read } = await storage.open();
      const of = async (table: CountedTable) => {
        const row = await read
          .selectFrom(table)
          .select(({ fn }) => fn.countAll().as("rows"))
          .executeTakeFirstOrThrow();
        return Number(row.rows);
      };
      return {
        chunks: await of("documentChunks"),
        fingerprints: await of("documentFingerprints"),
        records: await of("documentRecords"),
        vectors: await of("vectorRecords"),
        history: await of("upsertHistory"),
      };
    },
  };
}

export function newBookStore(server: PlatformProcess): Promise<DocumentStore> {
  const embeddingConfig = JSON.stringify({ name: "openai", config: { model: "scripted" } });
  return server.call<DocumentStore>("POST", "/document-store/store", { name: "Book", embeddingConfig });
}

/** Waits for the end of an upsert. */
export function finished(server: PlatformProcess, { id }: Pick<UpsertJob, "id">): Promise<UpsertJob> {
  return until(async () => {
    const job = await server.call<UpsertJob>("GET", `/document-store/upserts/${id}`);
    return job.state === "RUNNING" ? undefined : job;
  }, patienceMs);
}

/** Ten thousand chunks on a machine that does other things, too. */
const patienceMs = 180_000;
