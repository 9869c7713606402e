import type { LoadedPart, LoaderServices } from "@weft/engine/ports/document-loader";
import { defaultSplitterName, findSplitter } from "@weft/knowledge";
import type { SourceChunk } from "@weft/knowledge/plan-upsert";
import { findLoader } from "@weft/providers/loaders";
import type { Document, JsonObject, LoaderPreview, UpsertFailure } from "@weft/schema";
import { createPause } from "@weft/workers";
import type { DocumentLoaderRow } from "../tables.ts";
import type { PreparedLoader } from "./prepare-loader.ts";

type LoaderSettings = Pick<DocumentLoaderRow, "loader" | "loaderConfig" | "splitter" | "splitterConfig" | "metadata">;

/** What was met while a loader was read. */
export type LoadLog = { documents: number; characters: number; failures: UpsertFailure[] };

/**
 * The chunks of a loader's sources, one after the other: a document is read when the chunks of the one before are
 * taken. What fails is logged, and keeps nothing else from being loaded. The event loop turns while it works.
 */
export async function* splitSources(
  settings: LoaderSettings,
  { services, log, signal }: { services: LoaderServices; log: LoadLog; signal: AbortSignal },
): AsyncGenerator<SourceChunk> {
  const loader = findLoader(settings.loader);
  const splitter = findSplitter(settings.splitter);
  const split = await splitter.prepare(splitter.parseConfig(JSON.parse(settings.splitterConfig)));
  const metadata = JSON.parse(settings.metadata) as JsonObject;
  const config = loader.parseConfig(JSON.parse(settings.loaderConfig), settings.loader);
  const pause = createPause();
  for await (const part of loader.load(config, services, { signal })) {
    signal.throwIfAborted();
    if (!isDocument(part, log)) continue;
    for (const chunk of split(part.text, { source: part.source, ...part.metadata, ...metadata })) {
      if (chunk !== undefined) yield { source: part.source, chunk };
      await pause();
      signal.throwIfAborted();
    }
  }
}

/** More would only make the answer long. */
const maxFailures = 1_000;

function isDocument(part: LoadedPart, log: LoadLog): part is Extract<LoadedPart, { type: "document" }> {
  if (part.type === "document") {
    log.documents += 1;
    log.characters += part.text.length;
    return true;
  }
  const { source, code, message } = part;
  if (log.failures.length < maxFailures) log.failures.push({ source, code, message });
  return false;
}

type PreviewOptions = {
  /** The loader that is changed, when one is. */
  base: DocumentLoaderRow | undefined;
  /** How many chunks are shown; the others are counted. -1: as many as possible. */
  count: number | undefined;
  services: LoaderServices;
  signal: AbortSignal;
};

const defaultCount = 20;
const maxCount = 1_000;

/** Loads and splits what was prepared, and stores nothing. */
export async function previewLoader(
  prepared: PreparedLoader,
  { base, count = defaultCount, services, signal }: PreviewOptions,
): Promise<LoaderPreview> {
  const log: LoadLog = { documents: 0, characters: 0, failures: [] };
  const most = count === -1 ? maxCount : Math.min(count, maxCount);
  const shown: Document[] = [];
  let totalChunks = 0;
  const loading = { services: withFiles(services, prepared.files), log, signal };
  for await (const { chunk } of splitSources(settingsOf(prepared, base), loading)) {
    totalChunks += 1;
    if (shown.length < most) shown.push({ pageContent: chunk.text, metadata: chunk.metadata });
  }
  return { chunks: shown, totalChunks, previewChunkCount: shown.length, failed: log.failures };
}

function settingsOf(
  { loader, loaderConfig, splitter, metadata }: PreparedLoader,
  base: DocumentLoaderRow | undefined,
): LoaderSettings {
  const stored = base ?? { splitter: defaultSplitterName, splitterConfig: "{}", metadata: "{}" };
  return {
    loader,
    loaderConfig: JSON.stringify(loaderConfig),
    splitter: splitter?.name ?? stored.splitter,
    splitterConfig: splitter ? JSON.stringify(splitter.config) : stored.splitterConfig,
    metadata: metadata ? JSON.stringify(metadata) : stored.metadata,
  };
}

/** Files that are not stored yet, beside those that are. */
function withFiles(services: LoaderServices, files: PreparedLoader["files"]): LoaderServices {
  return {
    ...services,
    async readFile(id) {
      const file = files.find((one) => one.id === id);
      return file ? { name: file.name, mediaType: file.mime, bytes: async () => file.bytes } : services.readFile(id);
    },
  };
}
