import type { LoadedPart, LoaderServices } from "@weft/engine/ports/document-loader";
import { findSplitter } from "@weft/knowledge";
import type { SourceChunk } from "@weft/knowledge/plan-upsert";
import { findLoader as findLoaderType } from "@weft/providers/loaders";
import type { JsonObject, UpsertFailure } from "@weft/schema";
import { createPause } from "@weft/workers";
import type { DocumentLoaderRow } from "../../tables.ts";

/** The stored settings that determine how a loader is read. */
export type LoaderSettings = Pick<
  DocumentLoaderRow,
  "loader" | "loaderConfig" | "splitter" | "splitterConfig" | "metadata"
>;

/** Counts and failures of reading a loader. */
export type LoadLog = { documents: number; characters: number; failures: UpsertFailure[] };

type SourceReading = {
  services: LoaderServices;
  log: LoadLog;
  /** Called with every text before its chunks are yielded. */
  readText?(source: string, text: string): Promise<void>;
  signal: AbortSignal;
};

/**
 * The chunks of a loader's sources in sequence: a document is read once the previous one's chunks are taken. Failures
 * are logged and do not stop other sources. Yields to the event loop while working.
 */
export async function* splitSources(
  settings: LoaderSettings,
  { services, log, readText, signal }: SourceReading,
): AsyncGenerator<SourceChunk> {
  const loader = findLoaderType(settings.loader);
  const splitter = findSplitter(settings.splitter);
  const split = await splitter.prepare(splitter.parseConfig(JSON.parse(settings.splitterConfig)));
  const metadata: JsonObject = JSON.parse(settings.metadata);
  const config = loader.parseConfig(JSON.parse(settings.loaderConfig), settings.loader);
  const pause = createPause();
  for await (const part of loader.load(config, services, { signal })) {
    signal.throwIfAborted();
    if (!isDocument(part, log)) continue;
    await readText?.(part.source, part.text);
    for (const chunk of split(part.text, { source: part.source, ...part.metadata, ...metadata })) {
      if (chunk !== undefined) yield { source: part.source, chunk };
      await pause();
      signal.throwIfAborted();
    }
  }
}

/** More would only make the response long. */
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
