import {
  type ComponentRouteDeps,
  componentRoutes,
  type DocumentStoreService,
  documentStoreRoutes,
  type LoaderRouteDeps,
  loaderRoutes,
  type SearchService,
  type UpsertHistoryService,
  type UpsertRouteDeps,
  upsertHistoryRoutes,
  upsertRoutes,
  type VectorUpsertRouteDeps,
  vectorUpsertRoutes,
} from "@weft/document-stores";
import type { NodeRegistry } from "@weft/engine";
import { createOpenApiDocument, type HealthDeps, healthRoutes, openApiRoute, type Route } from "@weft/http";
import { integrations } from "@weft/integrations";
import { type ExecutionControl, type ExecutionService, executionRoutes } from "@weft/run-host";
import { type AccountService, accountRoutes } from "./accounts/index.ts";
import { type AgentService, agentRoutes } from "./agents/index.ts";
import { apiKeyRoutes } from "./api-keys/api-key.routes.ts";
import type { ApiKeyService } from "./api-keys/api-key.service.ts";
import { assistantRoutes } from "./assistants/assistant.routes.ts";
import type { AssistantService } from "./assistants/assistant.service.ts";
import { attachmentRoutes } from "./attachments/attachment.routes.ts";
import type { AttachmentService } from "./attachments/attachment.service.ts";
import { catalogueRoutes } from "./catalogue/catalogue.routes.ts";
import { integrationRoutes } from "./catalogue/integration.routes.ts";
import { chatClientRoutes } from "./chat-client/chat-client.routes.ts";
import type { ChatClientService } from "./chat-client/chat-client.service.ts";
import { type ChatMessageService, chatMessageRoutes } from "./chat-messages/index.ts";
import {
  bindingAgents,
  bindingAssistants,
  bindingOverrides,
  bindingSettings,
  type CredentialService,
  credentialRoutes,
  type HostBinding,
} from "./credentials/index.ts";
import { eventApiRoutes } from "./demo/seed-demo-agents.ts";
import { feedbackRoutes } from "./feedback/feedback.routes.ts";
import type { FeedbackService } from "./feedback/feedback.service.ts";
import { type FileService, fileRoutes } from "./files/index.ts";
import { flowRoutes } from "./flows/flow.routes.ts";
import type { FlowService } from "./flows/flow.service.ts";
import { leadRoutes } from "./leads/lead.routes.ts";
import type { LeadService } from "./leads/lead.service.ts";
import { type McpRouteDeps, mcpRoutes } from "./mcp/index.ts";
import { type ModelRouteDeps, modelRoutes } from "./models/model.routes.ts";
import { type OpenAiRouteDeps, openAiRoutes } from "./openai-compatible/openai.routes.ts";
import { type PredictionRouteDeps, predictionRoutes } from "./predictions/index.ts";
import { requestTrialRoutes } from "./request-trials/request-trial.routes.ts";
import type { RequestTrialService } from "./request-trials/request-trial.service.ts";
import { scheduleRoutes } from "./schedules/schedule.routes.ts";
import type { ScheduleService } from "./schedules/schedule.service.ts";
import { toolRoutes } from "./tools/tool.routes.ts";
import type { ToolService } from "./tools/tool.service.ts";
import type { ToolTrialService } from "./tools/tool-trial.service.ts";
import { variableRoutes } from "./variables/variable.routes.ts";
import type { VariableService } from "./variables/variable.service.ts";
import { version } from "./version.ts";
import { type WebhookRouteDeps, webhookRoutes } from "./webhooks/index.ts";

/** What the routes of the API call. */
export type Services = {
  accounts: AccountService;
  apiKeys: ApiKeyService;
  agents: AgentService;
  assistants: AssistantService;
  flows: FlowService;
  credentials: CredentialService;
  hostBinding: HostBinding;
  messages: ChatMessageService;
  models: ModelRouteDeps;
  nodeTypes: NodeRegistry;
  feedback: FeedbackService;
  leads: LeadService;
  documentStores: LoaderRouteDeps &
    UpsertRouteDeps &
    VectorUpsertRouteDeps &
    ComponentRouteDeps & { stores: DocumentStoreService; search: SearchService };
  upsertHistory: UpsertHistoryService;
  variables: VariableService;
  tools: ToolService;
  toolTrials: ToolTrialService;
  requestTrials: RequestTrialService;
  files: FileService;
  attachments: AttachmentService;
  executions: ExecutionService & ExecutionControl;
  prediction: PredictionRouteDeps;
  mcp: McpRouteDeps;
  openAi: OpenAiRouteDeps;
  chatClient: ChatClientService;
  webhooks: WebhookRouteDeps;
  schedules: ScheduleService;
  health: HealthDeps;
};

function storeRoutes(services: Services["documentStores"]): Route[] {
  return [
    ...documentStoreRoutes(services.stores, services.search),
    ...loaderRoutes(services),
    ...upsertRoutes(services),
  ];
}

/** Every operation of the API, its OpenAPI document among them. Services are used by handlers only: the table can be read without any. */
export function allRoutes(services: Services): Route[] {
  const routes = [
    ...healthRoutes(services.health),
    ...accountRoutes(services.accounts),
    ...apiKeyRoutes(services.apiKeys),
    ...bindingAgents(agentRoutes(services.agents), services.hostBinding),
    ...flowRoutes(services.flows),
    ...requestTrialRoutes(services.requestTrials),
    ...bindingAssistants(assistantRoutes(services.assistants), services.hostBinding),
    ...credentialRoutes(services.credentials),
    ...chatMessageRoutes(services.messages),
    ...feedbackRoutes(services.feedback),
    ...leadRoutes(services.leads),
    ...bindingSettings(storeRoutes(services.documentStores), services.hostBinding),
    ...bindingOverrides(vectorUpsertRoutes(services.documentStores), services.hostBinding),
    ...componentRoutes(services.documentStores),
    ...upsertHistoryRoutes(services.upsertHistory),
    ...variableRoutes(services.variables),
    ...toolRoutes(services.tools, services.toolTrials),
    ...attachmentRoutes(services.attachments),
    ...fileRoutes(services.files),
    ...executionRoutes(services.executions),
    ...predictionRoutes(services.prediction),
    ...mcpRoutes(services.mcp),
    ...openAiRoutes(services.openAi),
    ...chatClientRoutes(services.chatClient),
    ...webhookRoutes(services.webhooks),
    ...scheduleRoutes(services.schedules),
    ...catalogueRoutes(services.nodeTypes),
    ...integrationRoutes(integrations),
    ...bindingSettings(modelRoutes(services.models), services.hostBinding),
    ...eventApiRoutes(),
  ];
  const openApi = openApiRoute(() => createOpenApiDocument([...routes, openApi], { version }));
  return [...routes, openApi];
}
