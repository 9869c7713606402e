export {
  type AgentPolicies,
  assertUnguessable,
  type ChatClientGate,
  createChatClientGate,
} from "./chat-client-gate.ts";
