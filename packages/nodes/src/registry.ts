import type { NodeRegistry } from "@weft/engine/node";
import { agent } from "./agent.ts";
import { condition } from "./condition.ts";
import { conditionAgent } from "./condition-agent.ts";
import { customFunction } from "./custom-function.ts";
import { directReply } from "./direct-reply.ts";
import { executeFlow } from "./execute-flow.ts";
import { http } from "./http.ts";
import { humanInput } from "./human-input.ts";
import { iteration } from "./iteration.ts";
import { llm } from "./llm.ts";
import { loop } from "./loop.ts";
import { retriever } from "./retriever.ts";
import { sql } from "./sql.ts";
import { start } from "./start.ts";
import { stickyNote } from "./sticky-note.ts";
import { tool } from "./tool.ts";
import { vectorStore } from "./vector-store.ts";
import { wait } from "./wait.ts";

/** Every node type that a flow may use, by its type. */
export const nodeRegistry = {
  start,
  agent,
  llm,
  tool,
  http,
  sql,
  "custom-function": customFunction,
  retriever,
  "vector-store": vectorStore,
  "execute-flow": executeFlow,
  condition,
  "condition-agent": conditionAgent,
  loop,
  iteration,
  "human-input": humanInput,
  wait,
  "direct-reply": directReply,
  "sticky-note": stickyNote,
} as const satisfies NodeRegistry;
