import { z } from "zod";
import { defineEmbeddingProvider } from "../embedding-provider.ts";
import { embeddedModelName } from "./embedded-model-name.ts";

export const embeddedEmbeddings = defineEmbeddingProvider({
  name: "embedded",
  title: "Embedded",
  summary: "A small model for English that runs inside this server: no key, no download, 512 numbers a vector.",
  credentialFields: [],
  needs: [],
  models: [embeddedModelName],
  config: z.strictObject({}),
  aliases: { names: [], config: {} },
  create: async () => (await import("./embedded-model.ts")).createEmbeddedModel(),
});
