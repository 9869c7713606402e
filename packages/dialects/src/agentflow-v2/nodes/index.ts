export { agent } from "./agent.ts";
export { condition } from "./condition.ts";
export { conditionAgent } from "./condition-agent.ts";
export { http } from "./http.ts";
export {
  customFunction,
  directReply,
  executeFlow,
  humanInput,
  iteration,
  llm,
  loop,
  retriever,
  stickyNote,
} from "./plain-nodes.ts";
export { start } from "./start.ts";
export { toFormFields } from "./start-form.ts";
export { tool } from "./tool.ts";
