import { z } from "zod";
import { defineEmbeddingProvider } from "../embedding-provider.ts";
import { embeddedModelName } from "./embedded-model-name.ts";

export const embeddedEmbeddings = defineEmbeddingProvider({
  name: "embedded",
  title: "Embedded",
  summary: "A small English model that runs inside this server: no key, no download, 512 dimensions.",
  credentialFields: [],
  needs: [],
  models: [embeddedModelName],
  config: z.strictObject({}),
  aliases: { names: [], config: {} },
  create: async () => (await import("./embedded-model.ts")).createEmbeddedModel(),
});
