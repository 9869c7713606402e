import { WeftError } from "@weft/schema";
import { z } from "zod";
import { defineProvider } from "../define-provider.ts";

/** Models that the operator keeps in folders of this server. */
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
      if (folder === "") throw notConfigured("EMBEDDING_MODEL_DIR");
      return (await import("./folder-models.ts")).openFolderEmbeddings(folder);
    },
  },
});

function notConfigured(variable: string): WeftError {
  const reason = `no folder is configured. Ask the operator to set ${variable}, or choose another model.`;
  return new WeftError("embedding-not-configured", { params: { model: "model-folder", reason } });
}
