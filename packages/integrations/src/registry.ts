import { agent } from "./agent.ts";
import { arxiv } from "./arxiv.ts";
import { calculator } from "./calculator.ts";
import { codeInterpreter } from "./code-interpreter.ts";
import { currentDateTime } from "./current-date-time.ts";
import { customTool, customTools } from "./custom-tool.ts";
import type { Integration, IntegrationRegistry } from "./define-integration.ts";
import { handOver } from "./hand-over.ts";
import { mcpServer } from "./mcp-server.ts";
import { openapiToolkit } from "./openapi-toolkit.ts";
import { requestDelete, requestGet, requestPost, requestPut } from "./request-integrations.ts";
import { sql } from "./sql.ts";
import {
  airtable,
  discord,
  github,
  gmail,
  googleCalendar,
  googleDocs,
  googleDrive,
  googleSheets,
  hubspot,
  jira,
  linear,
  microsoftOutlook,
  microsoftTeams,
  notion,
  slack,
  stripe,
  telegram,
  zendesk,
} from "./vendor-actions/index.ts";
import { webPage } from "./web-page.ts";
import { webSearch } from "./web-search.ts";
import { wikipedia } from "./wikipedia.ts";

/** Every integration by its type in flows. A new integration is one file and one line here. */
export const integrations = {
  "request-get": requestGet,
  "request-post": requestPost,
  "request-put": requestPut,
  "request-delete": requestDelete,
  "openapi-toolkit": openapiToolkit,
  "mcp-server": mcpServer,
  "custom-tool": customTool,
  "custom-tools": customTools,
  agent,
  "hand-over": handOver,
  "current-date-time": currentDateTime,
  calculator,
  "web-search": webSearch,
  "web-page": webPage,
  arxiv,
  wikipedia,
  sql,
  "code-interpreter": codeInterpreter,
  gmail,
  "google-calendar": googleCalendar,
  "google-docs": googleDocs,
  "google-drive": googleDrive,
  "google-sheets": googleSheets,
  jira,
  "microsoft-outlook": microsoftOutlook,
  "microsoft-teams": microsoftTeams,
  stripe,
  slack,
  github,
  notion,
  telegram,
  discord,
  hubspot,
  airtable,
  linear,
  zendesk,
} as const satisfies IntegrationRegistry;

/** Credential types of integrations. */
export const integrationCredentialTypes = Object.values<Integration>(integrations).flatMap(
  ({ credentialTypes }) => credentialTypes,
);
