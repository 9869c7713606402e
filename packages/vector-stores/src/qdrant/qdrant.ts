import { z } from "zod";
import { defineVectorStore } from "../port/define-vector-store.ts";

export const qdrantStore = defineVectorStore({
  name: "qdrant",
  title: "Qdrant",
  summary: "A Qdrant server, version 1.10 or newer.",
  credentialFields: [
    {
      name: "apiKey",
      aliases: ["qdrantApiKey"],
      title: "API key",
      help: "Empty for a server without one.",
      secret: true,
      required: false,
    },
  ],
  config: z.strictObject({
    credential: z
      .string()
      .optional()
      .meta({
        title: "Credential",
        widget: "credential",
        ref: "credential",
        goesTo: [{ address: "url", port: 6333 }],
      }),
    url: z.string().max(2_000).default("").meta({
      title: "Server",
      ref: "address",
      placeholder: "https://qdrant.example.com:6333",
      help: "Port 6333 unless given. A server in a private network must be in EGRESS_ALLOW.",
    }),
    collection: z
      .string()
      .max(255)
      .optional()
      .meta({ title: "Collection", help: "Empty: one named after the document store.", advanced: true }),
  }),
  aliases: {
    names: [],
    config: { qdrantServerUrl: "url", qdrantCollection: "collection" },
  },
  open: async (config, name, services) =>
    (await import("./open-qdrant-collection.ts")).openQdrantCollection(config, name, services),
});
