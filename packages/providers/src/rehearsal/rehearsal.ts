import { defineChatProvider } from "../define-provider.ts";
import { rehearsalLabel } from "./label.ts";

export const rehearsalProvider = defineChatProvider({
  name: "rehearsal",
  title: `Rehearsal (${rehearsalLabel})`,
  summary:
    "Answers without a network or a key, by fixed rules: for trying flows and integrations before a model is set up.",
  credentialFields: [],
  needsApiKey: false,
  needsBaseUrl: false,
  models: ["rules"],
  create: async () => (await import("./rehearsal-model.ts")).createRehearsalModel(),
});
