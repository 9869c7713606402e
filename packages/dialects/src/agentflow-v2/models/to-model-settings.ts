import type { JsonObject } from "@weft/schema";
import { type NodeScope, present } from "../node-converter.ts";
import type { Settings } from "../settings.ts";
import { toCredential } from "../to-credential.ts";
import { type ModelMapping, modelTable, otherModels } from "./model-table.ts";

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
  const mapping = modelTable.get(name);
  if (mapping === undefined) {
    const advice =
      otherModels.get(name) ?? "Choose OpenAI, Anthropic, Google Gemini, Ollama or an OpenAI-compatible server.";
    report.refuse("model-unsupported", `Its model component ${name.slice(0, 100)} cannot be used here. ${advice}`);
    return {};
  }
  const config = settings.group(`${key}Config`);
  warnOfUnused(config, { key, mapping }, report);
  return present({ ...toAddress(config, mapping, { name, report }), ...toParameters(config, mapping, report) });
}

function toAddress(
  config: Settings,
  mapping: ModelMapping,
  { name, report }: { name: string } & Pick<NodeScope, "report">,
) {
  const { provider, keys, presetUrl } = mapping;
  const entered = firstOf(config, keys.baseUrl);
  const own = entered === presetUrl ? undefined : entered;
  const baseUrl = own ?? mapping.baseUrl;
  if (provider === "openai-compatible" && baseUrl === undefined) {
    report.refuse("model-address-missing", `Its model component ${name} has no base path. Enter the server's address.`);
  }
  // OpenAI's component with another address is how compatible servers were addressed.
  const isOther = provider === "openai" && own !== undefined && URL.parse(own)?.host !== "api.openai.com";
  return {
    provider: isOther ? "openai-compatible" : provider,
    model: firstOf(config, keys.model),
    baseUrl,
    credential: toCredential(config),
  };
}

function toParameters(config: Settings, { keys }: ModelMapping, report: NodeScope["report"]) {
  const within = (key: string, most: number) => {
    const value = config.number(key);
    if (value === undefined || (value >= 0 && value <= most)) return value;
    report.warn(
      "model-parameter-ignored",
      `Its model's ${key} of ${value} is not between 0 and ${most} and is not used. Correct it.`,
    );
    return undefined;
  };
  const maxTokens = keys.maxTokens.map((key) => config.number(key)).find((value) => value !== undefined && value >= 1);
  return {
    temperature: within("temperature", 2),
    topP: within("topP", 1),
    maxTokens: maxTokens === undefined ? undefined : Math.floor(maxTokens),
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
  "temperature",
  "topP",
  "undefined",
]);

function warnOfUnused(
  config: Settings,
  { key, mapping }: { key: string; mapping: ModelMapping },
  report: NodeScope["report"],
) {
  const { model, baseUrl, maxTokens } = mapping.keys;
  const used = new Set([key, "model", ...model, ...baseUrl, ...maxTokens]);
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
