import { type ErrorCode, WeftError } from "@weft/schema";
import { z } from "zod";
import { defineProvider } from "../define-provider.ts";

export const modelFolder = defineProvider({
  name: "model-folder",
  title: "Model folder",
  needs: [],
  credentialFields: [],
  embeddings: {
    summary: "The operator's own model on this server: no key, no network.",
    models: ["model.onnx"],
    config: z.strictObject({}),
    aliases: { names: [], config: {} },
    async create({ folder = "" }) {
      if (folder === "") throw notConfigured("embedding-not-configured", "EMBEDDING_MODEL_DIR");
      return (await import("./folder-models.ts")).openFolderEmbeddings(folder);
    },
  },
  rerank: {
    summary: "The operator's own reranker on this server: no key, no network.",
    models: ["model.onnx"],
    async create({ folder = "" }) {
      if (folder === "") throw notConfigured("model-not-configured", "RERANKER_MODEL_DIR");
      return (await import("./folder-models.ts")).openFolderReranker(folder);
    },
  },
});

function notConfigured(code: ErrorCode, variable: string): WeftError {
  const reason = `no folder is configured. Ask the operator to set ${variable}, or choose another model.`;
  return new WeftError(code, { params: { model: "model-folder", reason } });
}
