import { answerWithVectors, type EmbeddingFormat, embeddingFormats } from "./embedding-formats.ts";
import type { ScriptStep } from "./script-step.ts";
import { createScriptedServer, type ScriptedServer } from "./scripted-server.ts";

export type ScriptedEmbeddingOptions = {
  /** Default `openai`. */
  vendor?: keyof typeof embeddingFormats;
  /** What the first requests are answered with; the rest get `toTestVector` of every text, 384 numbers each. */
  script?: readonly (ScriptStep | undefined)[];
  record?: boolean;
};

export type ScriptedEmbeddingServer = ScriptedServer<unknown>;

/** A scripted server of embeddings: the same text has the same vector, texts with common words have near ones. */
export function createScriptedEmbeddingServer(
  options: ScriptedEmbeddingOptions = {},
): Promise<ScriptedEmbeddingServer> {
  const vendor = options.vendor ?? "openai";
  switch (vendor) {
    case "openai":
      return start(embeddingFormats.openai, options);
    case "google":
      return start(embeddingFormats.google, options);
    case "ollama":
      return start(embeddingFormats.ollama, options);
  }
}

function start<Request>(
  format: EmbeddingFormat<Request>,
  { script = [], record = true }: ScriptedEmbeddingOptions,
): Promise<ScriptedServer<unknown>> {
  return createScriptedServer(format.wire, {
    record,
    script: (request, index) => script[index] ?? answerWithVectors(format, request),
  });
}
