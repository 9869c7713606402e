import type { Areas } from "../areas.ts";
import { agentSettings } from "./agent-settings.ts";
import { agentApi, agents } from "./agents.ts";
import { apiKeys } from "./api-keys.ts";
import { assistants } from "./assistants.ts";
import { canvas } from "./canvas.ts";
import { chat } from "./chat.ts";
import { common, error, json, runState, shell, volume } from "./common.ts";
import { documentStores } from "./document-stores.ts";
import { execution } from "./executions.ts";
import { flowiseMove } from "./flowise-move.ts";
import { form } from "./forms.ts";
import { home } from "./home.ts";
import { imports } from "./import-agent.ts";
import { inbox } from "./inbox.ts";
import { messages } from "./messages.ts";
import { newAgent } from "./new-agent.ts";
import { prices } from "./prices.ts";
import { replay } from "./replay.ts";
import { session } from "./session.ts";
import { credentials, models, settings, variables } from "./settings.ts";
import { share } from "./share.ts";
import { storeQuery } from "./store-query.ts";
import { storeQuestion, storeQuestions } from "./store-questions.ts";
import { system } from "./system.ts";
import { tools } from "./tools.ts";
import { transfer } from "./transfer.ts";

/** Brazilian Portuguese. Instructions are imperatives. run, execution: execução; step: etapa; passage: trecho; chunk: fragmento; upsert: indexar; override: alteração por mensagem. */
export const translation: Areas = {
  agentApi,
  agentSettings,
  agents,
  apiKeys,
  assistants,
  canvas,
  chat,
  common,
  credentials,
  documentStores,
  error,
  execution,
  flowiseMove,
  form,
  home,
  import: imports,
  inbox,
  json,
  messages,
  models,
  newAgent,
  prices,
  replay,
  runState,
  session,
  settings,
  share,
  shell,
  storeQuery,
  storeQuestion,
  storeQuestions,
  system,
  tools,
  transfer,
  variables,
  volume,
};
