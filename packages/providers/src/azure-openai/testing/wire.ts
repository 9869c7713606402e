import { openAiEmbeddingFormat } from "../../openai/testing/openai-embedding-format.ts";
import { openAiFormat } from "../../openai/testing/openai-format.ts";
import { openAiTraits } from "../../openai/testing/wire.ts";
import { defineChatWire, type VendorWire } from "../../testing/vendor-wire.ts";

/** OpenAI's format where a deployment has it. */
export const azureFormat = {
  ...openAiFormat,
  basePath: "",
  isAnswerPath: (path: string) => /^\/openai\/deployments\/[^/]+\/chat\/completions\?api-version=[\d-]+$/.test(path),
};

export const azureEmbeddingFormat = {
  ...openAiEmbeddingFormat,
  wire: {
    ...openAiEmbeddingFormat.wire,
    basePath: "",
    isAnswerPath: (path: string) => /^\/openai\/deployments\/[^/]+\/embeddings\?api-version=[\d-]+$/.test(path),
  },
  keyOf: (headers: Record<string, string>) => headers["api-key"],
};

export const wires: Record<string, VendorWire> = {
  "azure-openai": {
    embeddings: azureEmbeddingFormat,
    chat: defineChatWire({
      ...openAiTraits,
      format: azureFormat,
      read: (request) => ({
        ...openAiTraits.read(request),
        key: request.headers["api-key"],
        model: /deployments\/([^/]+)\//.exec(request.path)?.[1] ?? "",
      }),
    }),
  },
};
