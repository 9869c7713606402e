import type { Agent } from "@weft/client";
import { client } from "../../api/client.ts";
import { agentsStrings } from "../../strings/agents.ts";

/** A new agent with the same flow and settings. It is not public, whatever the original is. */
export function duplicateAgent({ name, ...agent }: Agent): Promise<Agent> {
  const { flowData, chatbotConfig, apiConfig, analytic, speechToText, category, type } = agent;
  const settings = { chatbotConfig, apiConfig, analytic, speechToText, category, type };
  return client.createAgent({ name: agentsStrings.copyName(name), flowData, ...settings });
}
