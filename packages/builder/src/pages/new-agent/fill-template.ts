import type { Template } from "@weft/client";
import { isJsonObject, type Json, type JsonObject } from "@weft/schema";

/** Steps of these types have a model of their own. */
const withModel = new Set(["llm", "agent", "condition-agent"]);

/** Which setting holds the id of what a flow needs. */
const settingOf = { "document-store": "storeId", credential: "credential", agent: "agentId" } as const;

/**
 * The flow of a template with what was chosen for its needs, by their names: the address of a service in place of the
 * variable that stands for it, ids of a store, a credential or an agent, and settings of the model for all its steps.
 * What is not given stays as it is, and the editor reports it until it is there.
 */
export function fillTemplate({ flowData, needs }: Pick<Template, "flowData" | "needs">, given: JsonObject): string {
  const flow: Json = JSON.parse(flowData);
  const filled = needs.reduce<Json>((current, { kind, name }) => {
    const value = given[name];
    if (kind === "model") return isJsonObject(value) ? withModelOf(current, value) : current;
    const text = typeof value === "string" ? value.trim() : "";
    if (text === "") return current;
    if (kind === "service") return withText(current, `{{ $vars.${name} }}`, text.replace(/\/+$/, ""));
    return withId(current, { setting: settingOf[kind], from: name, to: text });
  }, flow);
  return JSON.stringify(filled);
}

function withModelOf(flow: Json, model: JsonObject): Json {
  if (!isJsonObject(flow) || !Array.isArray(flow.nodes)) return flow;
  const nodes = flow.nodes.map((node) => {
    if (!isJsonObject(node) || !withModel.has(String(node.type))) return node;
    const config = isJsonObject(node.config) ? node.config : {};
    const own = isJsonObject(config.model) ? config.model : {};
    return { ...node, config: { ...config, model: { ...own, ...model } } };
  });
  return { ...flow, nodes };
}

function withText(value: Json, from: string, to: string): Json {
  if (typeof value === "string") return value.replaceAll(from, () => to);
  return mapEntries(value, (_name, entry) => withText(entry, from, to));
}

function withId(value: Json, id: { setting: string; from: string; to: string }): Json {
  return mapEntries(value, (name, entry) => (name === id.setting && entry === id.from ? id.to : withId(entry, id)));
}

function mapEntries(value: Json, change: (name: string, entry: Json) => Json): Json {
  if (Array.isArray(value)) return value.map((entry) => change("", entry));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, change(name, entry ?? null)]));
}
