import type { Agent, Integration, Tool } from "@weft/client";
import { type JsonObject, toJsonObject } from "@weft/schema";
import { formStrings, textFor } from "../../strings.ts";
import { type Field, toForm } from "../fields/to-field.ts";
import { initialValue } from "../fields/values.ts";

/** Something that an agent can call, and what choosing it writes into the config. */
export type ToolOption = {
  key: string;
  type: string;
  config: JsonObject;
  title: string;
  summary: string;
  group: string;
  icon?: string | undefined;
  iconGroup?: string;
};

export type ToolSources = {
  integrations: readonly Integration[];
  tools: readonly Pick<Tool, "id" | "name" | "description">[];
  agents: readonly Pick<Agent, "id" | "name">[];
};

/**
 * All integrations; one that only refers to a stored tool or an agent is replaced by each of those. The widget of its
 * first required field identifies such an integration.
 */
export function toToolOptions({ integrations, tools, agents }: ToolSources): ToolOption[] {
  return integrations.flatMap((integration) => {
    const form = toForm(integration.config);
    const target = form.fields.find(({ isRequired }) => isRequired);
    const base = { type: integration.type, icon: integration.icon, iconGroup: integration.group };
    if (target?.widget === "custom-tool") {
      return tools.map(({ id, name, description }) =>
        pointing({ ...base, summary: description || integration.summary, group: formStrings.storedTools }, target, {
          id,
          name,
        }),
      );
    }
    if (target?.widget === "agent") {
      const naming = form.fields.find(({ name }) => name === "name");
      return agents.map(({ id, name }) => {
        const option = pointing({ ...base, summary: integration.summary, group: formStrings.agents }, target, {
          id,
          name,
        });
        return naming ? { ...option, config: { ...option.config, [naming.name]: name } } : option;
      });
    }
    const { title, summary, group } = integration;
    const config = toJsonObject(initialValue(form));
    return [
      {
        ...base,
        key: integration.type,
        config,
        title,
        summary,
        group: textFor(formStrings.toolGroups, group) ?? group,
      },
    ];
  });
}

function pointing(
  base: Omit<ToolOption, "key" | "config" | "title">,
  target: Field,
  { id, name }: { id: string; name: string },
): ToolOption {
  return { ...base, key: `${base.type}:${id}`, config: { [target.name]: id }, title: name };
}

/** The name on a tool's card: its name for the model, the name of its target, or its type. */
export function toolTitle(reference: { type: string; config: JsonObject }, sources: ToolSources): string | undefined {
  const integration = sources.integrations.find(({ type }) => type === reference.type);
  if (integration === undefined) return undefined;
  const { name } = reference.config;
  if (typeof name === "string" && name.trim() !== "") return name;
  const target = toForm(integration.config).fields.find(({ isRequired }) => isRequired);
  const id = target && reference.config[target.name];
  const pointed = [...sources.tools, ...sources.agents].find((one) => one.id === id);
  return pointed?.name ?? integration.title;
}
