import { z } from "zod";
import { defineProvider } from "../define-provider.ts";

export const embedded = defineProvider({
  name: "embedded",
  title: "Embedded",
  needs: [],
  credentialFields: [],
  embeddings: {
    summary: "A small English model that runs inside this server: no key, no download, 512 dimensions.",
    models: ["use-lite-en"],
    config: z.strictObject({}),
    aliases: { names: [], config: {} },
    create: async () => (await import("./embedded-model.ts")).shareEmbeddedModel(),
  },
});
