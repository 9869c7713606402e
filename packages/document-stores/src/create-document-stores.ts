import type { Database } from "@weft/database";
import type { DocumentReader } from "@weft/documents";
import type { EgressClient } from "@weft/egress";
import type { NodeRegistry } from "@weft/engine/node";
import type { ModelResolver } from "@weft/engine/ports/chat-model";
import type { Clock, IdSource } from "@weft/engine/ports/clock";
import type { LoaderServices } from "@weft/engine/ports/document-loader";
import type { DocumentWriter } from "@weft/engine/ports/retriever";
import type { Logger } from "@weft/http/logger";
import { createEmbeddingResolver, createRerankResolver, type ModelDefaults } from "@weft/providers";
import { createPoller, type RunService } from "@weft/run-host";
import type { VectorStores } from "@weft/vector-stores";
import { createDocumentFiles, type DocumentFiles, uploadLimits } from "./files/document-files.ts";
import { createPersonalDocuments } from "./files/personal-documents.ts";
import { createLoaderAdoption } from "./loaders/adopt-loaders.ts";
import { createLoaderService } from "./loaders/loader.service.ts";
import { type CheckOutcome, createQuestionFileReader, createQuestions, createStoreChecks } from "./questions/index.ts";
import { createSearchService, resolveStoreId } from "./search/index.ts";
import { recordUses, removeUsesOf } from "./state/document-store.store.ts";
import { createDocumentStoreService } from "./stores/document-store.service.ts";
import { createOwnStores } from "./stores/own-stores.ts";
import { createStoreBackend } from "./stores/store-backend.ts";
import {
  createUpsertJobs,
  createUpsertService,
  sumOf,
  type UpsertHistoryService,
  type UpsertService,
} from "./upserts/index.ts";

export type DocumentStoresDeps = {
  config: { bodyLimitBytes: number; executionRetentionMs: number; embeddingRetryMs: number };
  database: Database;
  clock: Clock;
  ids: IdSource;
  logger: Logger;
  credentials: { readPlaceholders: LoaderServices["readCredential"] };
  /** The accounts that the operator's configuration names. */
  modelDefaults: ModelDefaults;
  upsertHistory: UpsertHistoryService;
  documents: DocumentReader;
  http: EgressClient;
  /** May also reach the operator's model servers. */
  modelHttp: EgressClient;
  vectors: VectorStores;
  nodeTypes: NodeRegistry;
  /** Chat models that improve searches. */
  chatModels: ModelResolver;
  runs: RunService;
  events: Parameters<typeof createUpsertJobs>[1]["events"];
  /** Names of the operator's settings that form choices depend on and that are set. */
  operatorSettings: ReadonlySet<string>;
  /** Told how each check ended that followed from an upsert. */
  onChecked(outcome: CheckOutcome): void;
};

export type DocumentStores = ReturnType<typeof createDocumentStores>;

const sweepEveryMs = 30_000;
/** An upsert accepted this long ago that no process has begun will never begin. */
const neverBegunMs = 60_000;

/** Creates document stores with all of their parts. */
export function createDocumentStores(deps: DocumentStoresDeps) {
  const { config, database, clock, ids, logger, upsertHistory: history, vectors } = deps;
  const stopping = new AbortController();
  const embeddings = createEmbeddingResolver({
    defaults: deps.modelDefaults,
    readCredential: deps.credentials.readPlaceholders,
    http: deps.modelHttp,
  });
  const rerankers = createRerankResolver({
    defaults: deps.modelDefaults,
    readCredential: deps.credentials.readPlaceholders,
    http: deps.modelHttp,
    chatModels: deps.chatModels,
  });
  const backend = createStoreBackend(embeddings, { vectors, clock, retryPauseMs: config.embeddingRetryMs });
  const uploadLimitBytes = Math.min(config.bodyLimitBytes, uploadLimits.maxFileBytes);
  const files = createDocumentFiles({ database, clock, ids, uploadLimitBytes });
  const loading = loaderServices(deps, files);
  const { chatModels, runs, events, nodeTypes } = deps;
  const context = { database, clock, ids, logger, backend, vectors, files, loading, chatModels, rerankers };
  const retentionMs = config.executionRetentionMs;
  const jobs = createUpsertJobs(context, { runs, events, history, nodeTypes, retentionMs, stopping: stopping.signal });
  const stores = createDocumentStoreService(context, { jobs, history });
  const sweeper = createPoller({
    clock,
    everyMs: sweepEveryMs,
    async round(signal) {
      await jobs.sweep(clock.now() - neverBegunMs);
      await jobs.tidy(signal);
      await files.sweep(signal);
    },
    onFailure: (cause) => logger.error("upsert-sweep-failed", { cause }),
  });
  const upserts = createUpsertService(context, stores, jobs);
  const search = createSearchService(context);
  const fileReader = createQuestionFileReader();
  const questions = createQuestions(context, { search, fileReader });
  const checks = createStoreChecks(context, questions, deps.onChecked);
  const loaders = createLoaderService(context);
  return {
    stores,
    own: createOwnStores(context, stores),
    vectors,
    embeddingProviders: embeddings.providers,
    operatorSettings: deps.operatorSettings,
    adoption: createLoaderAdoption(context),
    loaders,
    personal: createPersonalDocuments(context, loaders),
    upserts,
    files,
    search,
    questions,
    checks,
    jobs,
    /** Services for flows. */
    services: { retriever: search.retriever, documentWriter: createDocumentWriter(upserts) },
    builtInFlows: jobs.flows,
    /** Effects in the transactions that save or delete an agent, or end an upsert. */
    on: { agentSaved: recordUses, agentDeleted: removeUsesOf, runEnded: { upsert: jobs.settle } },
    /** Call before anything else starts: rejects if the operator must fix something. */
    async openModels(): Promise<void> {
      await embeddings.start();
      await rerankers.start();
    },
    async start(): Promise<void> {
      // The only process on SQLite: an upsert that had not begun before the stop never will.
      if (database.dialect === "sqlite") await jobs.sweep(clock.now() + 1);
      sweeper.start();
      await checks.start();
    },
    /** No upsert is awaited here any more; the run service releases their runs. */
    async stop(): Promise<void> {
      stopping.abort("stopped");
      await sweeper.stop();
      await checks.stop();
      await fileReader.close();
    },
    async close(): Promise<void> {
      await embeddings.close();
      await rerankers.close();
    },
  };
}

function loaderServices({ documents, http, credentials }: DocumentStoresDeps, files: DocumentFiles): LoaderServices {
  return { http, documents, readCredential: credentials.readPlaceholders, readFile: files.read };
}

/** Upserts texts of flows like any others: a repetition attaches to the running one, or adds nothing. */
function createDocumentWriter(upserts: UpsertService): DocumentWriter {
  return {
    async write({ agentId, chatId, text, metadata, signal, ...given }) {
      const storeId = resolveStoreId(given.storeId, agentId);
      const loader = { name: "plainText", config: { text } };
      const chat = agentId !== undefined && chatId !== undefined ? { agentId, chatId } : undefined;
      const id = await upserts.begin({ storeId, body: { loader, metadata }, chat });
      signal.throwIfAborted();
      return sumOf(await upserts.result(id));
    },
  };
}
