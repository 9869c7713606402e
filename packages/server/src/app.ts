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
import { createHttpApp, type HttpApp, type HttpAppDeps } from "./http/create-http-app.ts";
import type { Route } from "./http/define-route.ts";
import { type HealthDeps, healthRoutes } from "./http/health.routes.ts";
import { openApiRoute } from "./http/openapi.routes.ts";
import { createOpenApiDocument } from "./http/openapi.ts";
import { predictionRoutes } from "./predictions/prediction.routes.ts";
import type { PredictionService } from "./predictions/prediction.service.ts";
import { executionRoutes } from "./runs/execution.routes.ts";
import type { ExecutionService } from "./runs/execution.service.ts";
import type { RunService } from "./runs/run.service.ts";

/** Everything that the routes call. */
export type Services = {
  accounts: AccountService;
  apiKeys: ApiKeyService;
  agents: AgentService;
  credentials: CredentialService;
  messages: ChatMessageService;
  predictions: PredictionService;
  executions: ExecutionService;
  runs: Pick<RunService, "cancelChat">;
  /** Whether an agent may be asked without credentials. */
  isPublic(agentId: string): Promise<boolean>;
  health: HealthDeps;
};

export type AppDeps = Omit<HttpAppDeps, "routes"> & { services: Services };

/** The whole API over the given services. */
export function createApp({ services, ...deps }: AppDeps): HttpApp {
  return createHttpApp({ ...deps, routes: allRoutes(services) });
}

/** Every operation of the API, the OpenAPI document of them all among them. */
export function allRoutes(services: Services): Route[] {
  const { accounts, apiKeys, agents, credentials, messages, predictions, executions, runs, isPublic, health } =
    services;
  const routes = [
    ...healthRoutes(health),
    ...accountRoutes(accounts),
    ...apiKeyRoutes(apiKeys),
    ...agentRoutes(agents),
    ...credentialRoutes(credentials),
    ...chatMessageRoutes(messages),
    ...catalogueRoutes(nodeRegistry),
    ...predictionRoutes({ predictions, runs, isPublic, findApiKeyId: apiKeys.findApiKeyId }),
    ...executionRoutes(executions),
  ];
  const openApi = openApiRoute(() => createOpenApiDocument([...routes, openApi], { version: health.version }));
  return [...routes, openApi];
}
