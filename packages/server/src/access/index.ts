export {
  type AgentPolicies,
  type AgentPolicy,
  assertUnguessable,
  type ChatClientGate,
  createChatClientGate,
} from "./chat-client-gate.ts";
