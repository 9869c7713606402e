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

/**
 * Japanese. Labels are noun phrases, sentences end in です・ます. agent: エージェント; flow: フロー; step: ステップ; run: 実行, the list of
 * them 実行履歴; credential: 認証情報; document store: ドキュメントストア; chunk: チャンク; upsert: インデックス登録; draft: 下書き; publish:
 * 公開, but public: 一般公開; revoke: 失効; sign in: サインイン; replay: 再実行; pin: ピン留め; price: 料金.
 */
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
