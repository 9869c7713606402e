import { defineChatProvider } from "../chat-provider.ts";

export const rehearsalProvider = defineChatProvider({
  name: "rehearsal",
  title: "Rehearsal (rules, not an AI)",
  summary:
    "Answers according to fixed rules, without network access or a key: for trying out flows and tools before a model is set up.",
  credentialFields: [],
  needs: [],
  acceptsImages: false,
  models: ["rules"],
  create: async () => (await import("./rehearsal-model.ts")).createRehearsalModel(),
});
