import {
  isDeeperThan,
  isJsonObject,
  type Json,
  type JsonObject,
  maxJsonDepth,
  parseJson,
  toJsonObject,
} from "@weft/schema";
import { nodeTable, toObjects } from "./agentflow-v2/index.ts";

/** One flow of a file that holds several. `flowData` is the text of it, recognised on its own. */
type FlowEntry = { name: string; flowData: string };

/** What a text is. `document` has the `nodes` and `edges` of the flow, whatever stood around them. */
export type RecognisedFlow =
  | { dialect: "native" }
  | { dialect: "agentflow-v2"; document: JsonObject }
  /** Flows whose nodes are wired components (`chatflow`), or teams of agents drawn before version 2 (`multi-agent`). */
  | { dialect: "classic"; kind: "chatflow" | "multi-agent"; document: JsonObject }
  | { dialect: "workspace"; flows: FlowEntry[] }
  | { dialect: "unknown" };

/**
 * Tells what a stored or imported text is: a flow, in the text of an API body, of an export or of a template, or the
 * export of a whole workspace. Never throws and executes nothing.
 */
export function recognise(text: string): RecognisedFlow {
  const document = readDocument(text);
  if (document === undefined || isDeeperThan(document, maxJsonDepth)) return { dialect: "unknown" };
  if (document.weft !== undefined) return { dialect: "native" };
  const nodes = toObjects(document.nodes).map((node) => toJsonObject(node.data));
  if (nodes.some(isAgentFlowNode)) return { dialect: "agentflow-v2", document };
  const categories = new Set(nodes.map(({ category }) => category));
  if (categories.has("Multi Agents") || categories.has("Sequential Agents"))
    return { dialect: "classic", kind: "multi-agent", document };
  if (nodes.some(({ name }) => typeof name === "string")) return { dialect: "classic", kind: "chatflow", document };
  const flows = workspaceLists.flatMap((list) => toObjects(document[list])).flatMap(toEntry);
  return flows.length > 0 ? { dialect: "workspace", flows } : { dialect: "unknown" };
}

/** Lists of an exported workspace that hold flows. */
const workspaceLists = ["AgentFlowV2", "AgentFlow", "ChatFlow", "AssistantFlow"];

/** How deep a flow may be wrapped: a body's `flowData` is JSON text, and may have been encoded twice. */
const maxWrappings = 3;

function readDocument(text: string): JsonObject | undefined {
  let value: Json | undefined = text;
  for (let wrapping = 0; wrapping <= maxWrappings && typeof value === "string"; wrapping += 1) {
    const parsed = parseJson(value);
    value = isJsonObject(parsed) && typeof parsed.flowData === "string" ? parsed.flowData : parsed;
  }
  return isJsonObject(value) ? value : undefined;
}

function isAgentFlowNode({ name, category }: JsonObject): boolean {
  return category === "Agent Flows" || (typeof name === "string" && nodeTable.has(name));
}

function toEntry({ name, flowData }: JsonObject): FlowEntry[] {
  return typeof flowData === "string" ? [{ name: typeof name === "string" ? name : "", flowData }] : [];
}
