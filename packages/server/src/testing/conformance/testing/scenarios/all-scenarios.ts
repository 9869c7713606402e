import type { Scenarios } from "../scenario.ts";
import { agentScenarios } from "./agents.ts";
import { chatScenarios } from "./chats.ts";
import { documentStoreScenarios } from "./document-stores.ts";
import { executionScenarios } from "./executions.ts";
import { identityScenarios } from "./identity.ts";
import { noticeScenarios } from "./notices.ts";
import { protocolScenarios } from "./protocols.ts";
import { serverScenarios } from "./server.ts";
import { singleSignOnScenarios } from "./single-sign-on.ts";
import { triggerScenarios } from "./triggers.ts";
import { visitorScenarios } from "./visitors.ts";

export const allScenarios: Scenarios = {
  ...agentScenarios,
  ...chatScenarios,
  ...documentStoreScenarios,
  ...executionScenarios,
  ...identityScenarios,
  ...protocolScenarios,
  ...serverScenarios,
  ...noticeScenarios,
  ...singleSignOnScenarios,
  ...triggerScenarios,
  ...visitorScenarios,
};
