import type { NodeRegistry } from "@weft/engine";
import { agent } from "./agent.ts";
import { directReply } from "./direct-reply.ts";
import { http } from "./http.ts";
import { llm } from "./llm.ts";
import { start } from "./start.ts";
import { stickyNote } from "./sticky-note.ts";

/** Every node type that a flow may use, by its type. */
export const nodeRegistry = {
  start,
  agent,
  llm,
  http,
  "direct-reply": directReply,
  "sticky-note": stickyNote,
} as const satisfies NodeRegistry;
