import { toModelSettings } from "../models/to-model-settings.ts";
import type { NodeConverter } from "../node-converter.ts";
import { toPromptConfig, toResponseRole } from "../prompt.ts";
import { toStructuredOutput } from "../structured-output.ts";

export const llm: NodeConverter = {
  type: "llm",
  toSpokenRole: (settings) => toResponseRole(settings, "llm"),
  toConfig: (scope) => ({
    model: toModelSettings(scope, "llmModel"),
    ...toPromptConfig(scope, "llm"),
    ...toStructuredOutput(scope, "llmStructuredOutput"),
  }),
};
