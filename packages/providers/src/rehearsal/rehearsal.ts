import { modelParameterNames } from "@weft/schema";
import { defineProvider } from "../define-provider.ts";

export const rehearsal = defineProvider({
  name: "rehearsal",
  title: "Rehearsal (rules, not an AI)",
  needs: [],
  credentialFields: [],
  chat: {
    summary:
      "Answers according to fixed rules, without network access or a key: for trying out flows and tools before a model is set up.",
    acceptsImages: false,
    models: ["rules"],
    // Stands in for any model: a flow under trial keeps the settings of its future model.
    parameters: modelParameterNames,
    create: async () => (await import("./rehearsal-model.ts")).createRehearsalModel(),
  },
});
