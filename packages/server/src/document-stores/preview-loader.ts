import type { DocumentLoaderRow } from "@weft/database";
import type { LoaderServices } from "@weft/engine";
import { defaultSplitterName } from "@weft/knowledge";
import type { Document, LoaderPreview } from "@weft/schema";
import type { PreparedLoader } from "./prepare-loader.ts";
import { type LoaderSettings, type LoadLog, splitSources } from "./split-sources.ts";

export type PreviewOptions = {
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
