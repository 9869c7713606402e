import type { NodeConverter } from "./node-converter.ts";
import { agent } from "./nodes/agent.ts";
import { condition } from "./nodes/condition.ts";
import { conditionAgent } from "./nodes/condition-agent.ts";
import { customFunction } from "./nodes/custom-function.ts";
import { directReply } from "./nodes/direct-reply.ts";
import { executeFlow } from "./nodes/execute-flow.ts";
import { http } from "./nodes/http.ts";
import { humanInput } from "./nodes/human-input.ts";
import { iteration } from "./nodes/iteration.ts";
import { llm } from "./nodes/llm.ts";
import { loop } from "./nodes/loop.ts";
import { retriever } from "./nodes/retriever.ts";
import { start } from "./nodes/start.ts";
import { stickyNote } from "./nodes/sticky-note.ts";
import { tool } from "./nodes/tool.ts";

/** Every node of AgentFlow V2 by the name of its component. */
export const nodeTable: ReadonlyMap<string, NodeConverter> = new Map(
  Object.entries({
    startAgentflow: start,
    agentAgentflow: agent,
    llmAgentflow: llm,
    toolAgentflow: tool,
    conditionAgentflow: condition,
    conditionAgentAgentflow: conditionAgent,
    loopAgentflow: loop,
    iterationAgentflow: iteration,
    humanInputAgentflow: humanInput,
    httpAgentflow: http,
    directReplyAgentflow: directReply,
    customFunctionAgentflow: customFunction,
    retrieverAgentflow: retriever,
    executeFlowAgentflow: executeFlow,
    stickyNoteAgentflow: stickyNote,
  }),
);
