import type { JsonObject } from "@weft/schema";
import type { Settings } from "./settings.ts";

/** Which input of which node holds what it writes into the flow's state. */
const keys: Readonly<Record<string, string>> = {
  llm: "llmUpdateState",
  agent: "agentUpdateState",
  tool: "toolUpdateState",
  loop: "loopUpdateState",
  "custom-function": "customFunctionUpdateState",
  retriever: "retrieverUpdateState",
  "execute-flow": "executeFlowUpdateState",
};

/** What a node of a native type writes into the flow's state; nothing when it writes nothing. */
export function toStateUpdates(type: string, settings: Settings): JsonObject {
  const updates = settings
    .rows(keys[type] ?? "")
    .map((row) => ({ key: row.text("key"), value: row.stateTemplate("value") }))
    .filter(({ key }) => key !== "" && key !== "__proto__");
  return updates.length === 0 ? {} : { updateState: updates };
}
