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
    // It stands for any model: a flow that is tried out keeps the settings of the model to come.
    parameters: modelParameterNames,
    create: async () => (await import("./rehearsal-model.ts")).createRehearsalModel(),
  },
});
