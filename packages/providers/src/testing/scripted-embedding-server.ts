import { openAiEmbeddingFormat } from "../openai/testing/openai-embedding-format.ts";
import { answerWithVectors, type EmbeddingFormat } from "./embedding-format.ts";
import type { ScriptStep } from "./script-step.ts";
import { createScriptedServer, type ScriptedServer } from "./scripted-server.ts";

export type ScriptedEmbeddingOptions = {
  /** Default OpenAI's. */
  format?: EmbeddingFormat;
  /** What the first requests are answered with; the rest get `toTestVector` of every text, 384 numbers each, or get it late. */
  script?: readonly (ScriptStep | Late | undefined)[];
  record?: boolean;
};

type Late = { lateMs: number };

export type ScriptedEmbeddingServer = ScriptedServer<unknown>;

/** A scripted server of embeddings: the same text has the same vector, texts with common words have near ones. */
export function createScriptedEmbeddingServer({
  format = openAiEmbeddingFormat,
  script = [],
  record = true,
}: ScriptedEmbeddingOptions = {}): Promise<ScriptedEmbeddingServer> {
  return createScriptedServer(format.wire, {
    record,
    script(request, index) {
      const step = script[index];
      if (step !== undefined && !("lateMs" in step)) return step;
      return { ...answerWithVectors(format, request), ...(step && { delayMs: step.lateMs }) };
    },
  });
}
