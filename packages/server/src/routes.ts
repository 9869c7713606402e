import { nodeRegistry } from "@weft/nodes";
import { accountRoutes } from "./accounts/account.routes.ts";
import type { AccountService } from "./accounts/account.service.ts";
import { agentRoutes } from "./agents/agent.routes.ts";
import type { AgentService } from "./agents/agent.service.ts";
import { apiKeyRoutes } from "./api-keys/api-key.routes.ts";
import type { ApiKeyService } from "./api-keys/api-key.service.ts";
import { catalogueRoutes } from "./catalogue/catalogue.routes.ts";
import { chatMessageRoutes } from "./chat-messages/chat-message.routes.ts";
import type { ChatMessageService } from "./chat-messages/chat-message.service.ts";
import { credentialRoutes } from "./credentials/credential.routes.ts";
import type { CredentialService } from "./credentials/credential.service.ts";
import { eventApiRoutes } from "./demo/event-api.routes.ts";
import type { Route } from "./http/define-route.ts";
import { type HealthDeps, healthRoutes } from "./http/health.routes.ts";
import { openApiRoute } from "./http/openapi.routes.ts";
import { createOpenApiDocument } from "./http/openapi.ts";
import { type PredictionRouteDeps, predictionRoutes } from "./predictions/prediction.routes.ts";
import { executionRoutes } from "./runs/execution.routes.ts";
import type { ExecutionService } from "./runs/execution.service.ts";
import { version } from "./version.ts";

/** What the routes of the API call. */
export type Services = {
  accounts: AccountService;
  apiKeys: ApiKeyService;
  agents: AgentService;
  credentials: CredentialService;
  messages: ChatMessageService;
  executions: ExecutionService;
  prediction: PredictionRouteDeps;
  health: HealthDeps;
};

/** Every operation of the API, its OpenAPI document among them. Services are used by handlers only: the table can be read without any. */
export function allRoutes(services: Services): Route[] {
  const routes = [
    ...healthRoutes(services.health),
    ...accountRoutes(services.accounts),
    ...apiKeyRoutes(services.apiKeys),
    ...agentRoutes(services.agents),
    ...credentialRoutes(services.credentials),
    ...chatMessageRoutes(services.messages),
    ...executionRoutes(services.executions),
    ...predictionRoutes(services.prediction),
    ...catalogueRoutes(nodeRegistry),
    ...eventApiRoutes(),
  ];
  const openApi = openApiRoute(() => createOpenApiDocument([...routes, openApi], { version }));
  return [...routes, openApi];
}
