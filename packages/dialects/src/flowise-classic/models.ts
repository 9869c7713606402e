import type { JsonObject } from "@weft/schema";
import { convertModel, type Report } from "../agentflow-v2/index.ts";
import type { ClassicScope } from "./scope.ts";

/** The native settings of the model at an input. Without one the operator's default answers, and a warning says so. */
export function toModel(scope: ClassicScope, input = "model"): JsonObject {
  const model = scope.part(input);
  if (model === undefined) {
    scope.report.warn("model-missing", "No model is wired to it, so the operator's default model answers. Choose one.");
    return {};
  }
  return toModelOf(model);
}

/** The native settings of a model component. */
export function toModelOf({ node, settings, report: said, part, ignore }: ClassicScope): JsonObject {
  const report: Report = { ...said, refuse: (code, message) => said.refuse(code, message, "model") };
  warnOfIdle({ node, settings, report, part });
  ignore(...Object.keys(node.inputs));
  const completion = completionModels.get(node.name);
  if (completion !== undefined && /instruct|davinci|babbage/.test(settings.text("modelName"))) {
    report.warn(
      "model-completion",
      `The model ${settings.text("modelName").slice(0, 100)} completes texts and is asked as a chat model here. Choose a chat model of the same vendor.`,
    );
  }
  const advice = otherModels.get(node.name);
  if (advice !== undefined) {
    report.refuse("model-unsupported", `Its model component ${node.name} cannot be used here. ${advice}`);
    return {};
  }
  return convertModel({ name: completion ?? node.name, config: settings, report });
}

/** Says what has no effect on a model here, beside what the table of models says. */
function warnOfIdle({ node, settings, report, part }: Pick<ClassicScope, "node" | "settings" | "report" | "part">) {
  if (part("cache") !== undefined) {
    report.warn("cache-left-out", "Its cache is left out: every answer is asked for. Remove the cache.");
  }
  const idle = ["timeout", "keepAlive", "contextCache"].filter(
    (key) => settings.text(key) !== "" && key in node.inputs,
  );
  const isPlain = settings.text("keepAlive") === "5m";
  const named = idle.filter((key) => !(key === "keepAlive" && isPlain));
  const resolution = settings.text("imageResolution");
  if (resolution !== "" && resolution !== "low") named.push("imageResolution");
  if (named.length === 0) return;
  report.warn(
    "model-settings-idle",
    `These settings have no effect here: ${named.join(", ")}. Remove them, or check that its answers do not need them.`,
  );
}

/** Components that completed a text, with the chat model of the same provider. */
const completionModels: ReadonlyMap<string, string> = new Map(
  Object.entries({
    openAI: "chatOpenAI",
    ollama: "chatOllama",
    azureOpenAI: "azureChatOpenAI",
    togetherAI: "chatTogetherAI",
    fireworks: "chatFireworks",
    sambanova: "chatSambanova",
    googlevertexai: "chatGoogleVertexAI",
    awsBedrock: "awsChatBedrock",
    cohere: "chatCohere",
    huggingFaceInference_LLMs: "chatHuggingFace",
  }),
);

const otherModels: ReadonlyMap<string, string> = new Map(
  Object.entries({
    replicate: "Choose another model, or call Replicate's HTTP API with an HTTP node.",
  }),
);
