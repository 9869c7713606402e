import type { canvasStrings } from "../canvas/index.ts";
import type { chatStrings } from "../chat/index.ts";
import type { formStrings } from "../forms/strings.ts";
import type { shareStrings } from "../pages/agent-editor/index.ts";
import type { agentSettingsStrings } from "../pages/agent-settings/strings.ts";
import type { agentApiStrings, agentsStrings } from "../pages/agents/strings.ts";
import type { apiKeysStrings } from "../pages/api-keys/strings.ts";
import type { assistantsStrings } from "../pages/assistants/strings.ts";
import type {
  documentStoresStrings,
  storeQueryStrings,
  storeQuestionsStrings,
} from "../pages/document-stores/index.ts";
import type { executionStrings } from "../pages/executions/index.ts";
import type { flowiseMoveStrings } from "../pages/flowise-move/index.ts";
import type { homeStrings } from "../pages/home/strings.ts";
import type { importStrings } from "../pages/import-agent/strings.ts";
import type { inboxStrings } from "../pages/inbox/strings.ts";
import type { messagesStrings } from "../pages/messages/index.ts";
import type { newAgentStrings } from "../pages/new-agent/index.ts";
import type { pricesStrings } from "../pages/prices/strings.ts";
import type {
  credentialsStrings,
  modelsStrings,
  settingsStrings,
  variablesStrings,
} from "../pages/settings/strings.ts";
import type { transferStrings } from "../pages/settings/transfer/strings.ts";
import type { systemStrings } from "../pages/system/strings.ts";
import type { toolsStrings } from "../pages/tools/strings.ts";
import type { storeQuestionStrings } from "../questions/index.ts";
import type { replayStrings } from "../replay/index.ts";
import type { sessionStrings } from "../session/strings.ts";
import type {
  commonStrings,
  errorStrings,
  jsonStrings,
  runStateStrings,
  shellStrings,
  volumeStrings,
} from "../strings.ts";
import type { Translation } from "./index.ts";

/** The texts of each area, in another language. An area is called like its English texts, without `Strings`. */
export type Areas = Translation<{
  agentApi: typeof agentApiStrings;
  agentSettings: typeof agentSettingsStrings;
  agents: typeof agentsStrings;
  apiKeys: typeof apiKeysStrings;
  assistants: typeof assistantsStrings;
  canvas: typeof canvasStrings;
  chat: typeof chatStrings;
  common: typeof commonStrings;
  credentials: typeof credentialsStrings;
  documentStores: typeof documentStoresStrings;
  error: typeof errorStrings;
  execution: typeof executionStrings;
  flowiseMove: typeof flowiseMoveStrings;
  form: typeof formStrings;
  home: typeof homeStrings;
  import: typeof importStrings;
  inbox: typeof inboxStrings;
  json: typeof jsonStrings;
  replay: typeof replayStrings;
  messages: typeof messagesStrings;
  models: typeof modelsStrings;
  newAgent: typeof newAgentStrings;
  prices: typeof pricesStrings;
  runState: typeof runStateStrings;
  session: typeof sessionStrings;
  settings: typeof settingsStrings;
  share: typeof shareStrings;
  shell: typeof shellStrings;
  storeQuery: typeof storeQueryStrings;
  storeQuestion: typeof storeQuestionStrings;
  storeQuestions: typeof storeQuestionsStrings;
  system: typeof systemStrings;
  tools: typeof toolsStrings;
  transfer: typeof transferStrings;
  variables: typeof variablesStrings;
  volume: typeof volumeStrings;
}>;
