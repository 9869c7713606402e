import { hash } from "node:crypto";
import type { DocumentLoaderRow } from "@weft/database";
import type { LoadedPart, LoaderServices } from "@weft/engine";
import { findSplitter, type SourceChunk } from "@weft/knowledge";
import { findLoader } from "@weft/providers";
import type { JsonObject, UpsertFailure } from "@weft/schema";
import { createPause } from "@weft/workers";

export type LoaderSettings = Pick<
  DocumentLoaderRow,
  "loader" | "loaderConfig" | "splitter" | "splitterConfig" | "metadata"
>;

/** What was met while a loader was read. */
export type LoadLog = { documents: number; characters: number; failures: UpsertFailure[] };

export const sha256 = (text: string): string => hash("sha256", text, "hex");

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
