import { defineChatProvider } from "../chat-provider.ts";

export const rehearsalProvider = defineChatProvider({
  name: "rehearsal",
  title: "Rehearsal (rules, not an AI)",
  summary: "Answers by fixed rules, without network or key: for trying flows and tools before a model is set up.",
  credentialFields: [],
  needs: [],
  acceptsImages: false,
  models: ["rules"],
  create: async () => (await import("./rehearsal-model.ts")).createRehearsalModel(),
});
