import type { NodeConverter } from "./node-converter.ts";
import {
  agent,
  condition,
  conditionAgent,
  customFunction,
  directReply,
  executeFlow,
  http,
  humanInput,
  iteration,
  llm,
  loop,
  retriever,
  start,
  stickyNote,
  tool,
} from "./nodes/index.ts";

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
