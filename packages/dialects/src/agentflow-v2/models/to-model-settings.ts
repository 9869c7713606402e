import type { JsonObject } from "@weft/schema";
import { type NodeScope, present, type Report } from "../node-converter.ts";
import type { Settings } from "../settings.ts";
import {
  anthropicTable,
  bedrockTable,
  cohereTable,
  compatibleTable,
  geminiTable,
  huggingFaceTable,
  mistralTable,
  ollamaTable,
  openAiTable,
  type ParameterTable,
  toParameters,
} from "./model-parameters.ts";

/**
 * The native settings of the model that `<key>` names and `<key>Config` describes. A model that cannot be used is
 * refused, and the settings are empty: then the operator's default would answer.
 */
export function toModelSettings({ settings, report }: NodeScope, key: string): JsonObject {
  const name = settings.text(key);
  if (name === "") {
    report.warn("model-missing", "No model is chosen, so the operator's default model answers. Choose one.");
    return {};
  }
  const own: Report = { ...report, refuse: (code, message) => report.refuse(code, message, "model") };
  return convertModel({ name, key, config: settings.group(`${key}Config`), report: own });
}

/** A chat model component, its settings, and the input whose name they repeat where they stand behind one. */
export type ModelComponent = { name: string; key?: string; config: Settings; report: Report };

/** The native settings of a chat model component. One that cannot be used is refused, and the settings are empty. */
export function convertModel({ name, key = "", config, report }: ModelComponent): JsonObject {
  const mapping = modelTable.get(name);
  if (mapping === undefined) {
    report.refuse(
      "model-unsupported",
      `Its model component ${name.slice(0, 100)} cannot be used here. Choose OpenAI, Anthropic, Google Gemini, Ollama or an OpenAI-compatible server.`,
    );
    return {};
  }
  warnOfUnused(config, { key, mapping }, report);
  return present({
    ...toAddress(config, mapping, { name, report }),
    ...toParameters(config, mapping.parameters, report),
  });
}

function toAddress(
  config: Settings,
  mapping: ModelMapping,
  { name, report }: { name: string } & Pick<NodeScope, "report">,
) {
  const { provider, keys, presetUrl } = mapping;
  const region = firstOf(config, ["region"]);
  const ownAddress = firstOf(config, keys.baseUrl);
  const entered =
    (ownAddress && (mapping.addressOfEndpoint?.(ownAddress) ?? ownAddress)) ??
    (region && mapping.addressOfRegion?.(region));
  const baseUrl = entered?.replace(/(?<!\/)\/+$/, "") === presetUrl ? undefined : entered;
  if (provider === "openai-compatible" && baseUrl === undefined) {
    report.refuse("model-address-missing", `Its model component ${name} has no base path. Enter the server's address.`);
  }
  // A vendor's component with another address is how compatible servers were addressed.
  const { vendorHost } = mapping;
  const isOther = vendorHost !== undefined && baseUrl !== undefined && URL.parse(baseUrl)?.host !== vendorHost;
  return {
    provider: isOther ? "openai-compatible" : provider,
    model: firstOf(config, keys.model),
    baseUrl,
    credential: toCredential(config),
  };
}

/** Values that change nothing here: how the answer travels, what is cached, what forms remember. */
const withoutEffect = new Set([
  "cache",
  "contextCache",
  "streaming",
  "timeout",
  "keepAlive",
  "allowImageUploads",
  "imageResolution",
  "credential",
  "FLOWISE_CREDENTIAL_ID",
  "undefined",
]);

function warnOfUnused(
  config: Settings,
  { key, mapping }: { key: string; mapping: ModelMapping },
  report: NodeScope["report"],
) {
  const { keys, parameters } = mapping;
  const used = new Set([key, "model", "reasoning", ...keys.model, ...keys.baseUrl, ...Object.keys(parameters)]);
  if (mapping.addressOfRegion) used.add("region");
  const isIdle = (name: string) => name === "budgetTokens" && !config.flag("extendedThinking");
  const unused = config.keys().filter((name) => !used.has(name) && !withoutEffect.has(name) && !isIdle(name));
  if (unused.length === 0) return;
  report.warn(
    "model-settings-ignored",
    `These settings of its model are not used here: ${unused.slice(0, 20).join(", ")}. Check that its answers do not need them.`,
  );
}

function firstOf(config: Settings, keys: readonly string[]): string | undefined {
  return keys.map((key) => config.text(key).trim()).find((text) => text !== "");
}

/** How a chat model component becomes a native model: the provider, its address, and the names of its values. */
type ModelMapping = {
  provider: string;
  /** Of a vendor with the Chat Completions API: at another host stands a compatible server. */
  vendorHost?: string;
  /** What its form holds when nobody entered an address: says no more than none. */
  presetUrl?: string;
  /** Of a vendor with an address for each region. */
  addressOfRegion?: (region: string) => string;
  /** The API's address for a dedicated endpoint at the vendor. */
  addressOfEndpoint?: (endpoint: string) => string;
  /** Names under which the component keeps a value, the first that is set counts. */
  keys: { model: readonly string[]; baseUrl: readonly string[] };
  parameters: ParameterTable;
};

const usual = { model: ["modelName"], baseUrl: ["basepath", "basePath", "baseUrl"] };

const compatible: ModelMapping = {
  provider: "openai-compatible",
  keys: { ...usual, model: ["modelName", "model"] },
  parameters: compatibleTable,
};

/** A vendor with OpenAI's API at an address that its component may repeat. */
function vendor(provider: string, presetUrl: string): ModelMapping {
  return { ...compatible, provider, presetUrl, vendorHost: new URL(presetUrl).host };
}

const named = { ...usual, model: ["customModelName", "modelName"] };
const openai: ModelMapping = {
  provider: "openai",
  vendorHost: "api.openai.com",
  keys: usual,
  parameters: openAiTable,
};
const azure: ModelMapping = { provider: "azure-openai", keys: usual, parameters: openAiTable };
const anthropic: ModelMapping = { provider: "anthropic", keys: usual, parameters: anthropicTable };
const google: ModelMapping = { provider: "google", keys: named, parameters: geminiTable };
const cohere: ModelMapping = { provider: "cohere", keys: usual, parameters: cohereTable };
const ollama: ModelMapping = {
  provider: "ollama",
  presetUrl: "http://localhost:11434",
  keys: usual,
  parameters: ollamaTable,
};
const mistral: ModelMapping = {
  provider: "mistral",
  keys: { model: ["modelName"], baseUrl: ["overrideEndpoint"] },
  parameters: mistralTable,
};
const bedrock: ModelMapping = {
  provider: "bedrock",
  addressOfRegion: (region) => `https://bedrock-runtime.${region}.amazonaws.com`,
  keys: { model: ["customModel", "model"], baseUrl: ["endpointHost"] },
  parameters: bedrockTable,
};
const vertex: ModelMapping = {
  provider: "vertex",
  addressOfRegion: (region) =>
    region === "global" ? "https://aiplatform.googleapis.com" : `https://${region}-aiplatform.googleapis.com`,
  keys: { ...named, baseUrl: [] },
  parameters: geminiTable,
};
const huggingFace: ModelMapping = {
  provider: "huggingface",
  addressOfEndpoint: (endpoint) => (/\/v1\/*$/.test(endpoint) ? endpoint : `${endpoint.replace(/(?<!\/)\/+$/, "")}/v1`),
  keys: { model: ["model"], baseUrl: ["endpoint"] },
  parameters: huggingFaceTable,
};
const alibaba: ModelMapping = { ...compatible, provider: "alibaba" };
const comet: ModelMapping = { ...compatible, provider: "cometapi" };
const groq = vendor("groq", "https://api.groq.com/openai/v1");
const together = vendor("together", "https://api.together.xyz/v1");
const nvidia = vendor("nvidia", "https://integrate.api.nvidia.com/v1");

/** Chat model components by name, with the names that earlier versions used. */
const modelTable: ReadonlyMap<string, ModelMapping> = new Map(
  Object.entries({
    chatOpenAI: openai,
    chatOpenAI_LlamaIndex: openai,
    chatOpenAIFineTuned: openai,
    chatOpenAICustom: compatible,
    chatLocalAI: compatible,
    chatLitellm: compatible,
    chatAnthropic: anthropic,
    chatAnthropic_LlamaIndex: anthropic,
    chatGoogleGenerativeAI: google,
    chatGooglePaLM: google,
    chatOllama: ollama,
    chatOllama_LlamaIndex: ollama,
    chatOllamaFunction: ollama,
    azureChatOpenAI: azure,
    azureChatOpenAI_LlamaIndex: azure,
    chatCohere: cohere,
    awsChatBedrock: bedrock,
    chatGoogleVertexAI: vertex,
    chatMistralAI: mistral,
    chatMistral_LlamaIndex: mistral,
    groqChat: groq,
    chatGroq_LlamaIndex: groq,
    chatTogetherAI: together,
    chatTogetherAI_LlamaIndex: together,
    chatNvidiaNIM: nvidia,
    chatNvdiaNIM: nvidia,
    chatOpenRouter: vendor("openrouter", "https://openrouter.ai/api/v1"),
    chatDeepseek: vendor("deepseek", "https://api.deepseek.com/v1"),
    chatXAI: vendor("xai", "https://api.x.ai/v1"),
    chatCerebras: vendor("cerebras", "https://api.cerebras.ai/v1"),
    chatFireworks: vendor("fireworks", "https://api.fireworks.ai/inference/v1"),
    chatPerplexity: vendor("perplexity", "https://api.perplexity.ai"),
    chatSambanova: vendor("sambanova", "https://api.sambanova.ai/v1"),
    chatHuggingFace: huggingFace,
    chatAlibabaTongyi: alibaba,
    chatCometAPI: comet,
  }),
);

/** Id of the credential that a component's settings name. Exports leave it out. */
export function toCredential(config: Settings): string | undefined {
  return [config.text("FLOWISE_CREDENTIAL_ID"), config.text("credential")].find((id) => id !== "");
}
