import english from "../messages/en.json" with { type: "json" };
import { languageTag, translatedMessages } from "./languages/index.ts";
import { type Texts, toTexts } from "./texts/to-texts.ts";

/**
 * The texts of the interface in the reader's language, by area: `messages/en.json`, and one file of `messages` for each
 * other language (docs/languages.md). They are read when this module is imported, which is when the language is there.
 */
export const {
  agentApi: agentApiStrings,
  agentSettings: agentSettingsStrings,
  agents: agentsStrings,
  apiKeys: apiKeysStrings,
  assistants: assistantsStrings,
  audit: auditStrings,
  canvas: canvasStrings,
  chat: chatStrings,
  common: commonStrings,
  conversations: conversationsStrings,
  credentials: credentialsStrings,
  documentStores: documentStoresStrings,
  drafting: draftingStrings,
  error: errorStrings,
  execution: executionStrings,
  flowiseMove: flowiseMoveStrings,
  form: formStrings,
  home: homeStrings,
  import: importStrings,
  inbox: inboxStrings,
  json: jsonStrings,
  messages: messagesStrings,
  models: modelsStrings,
  newAgent: newAgentStrings,
  notices: noticesStrings,
  people: peopleStrings,
  playground: playgroundStrings,
  prices: pricesStrings,
  replay: replayStrings,
  runState: runStateStrings,
  schedule: scheduleStrings,
  session: sessionStrings,
  settings: settingsStrings,
  share: shareStrings,
  shell: shellStrings,
  singleSignOn: singleSignOnStrings,
  storeQuery: storeQueryStrings,
  storeQuestion: storeQuestionStrings,
  storeQuestions: storeQuestionsStrings,
  system: systemStrings,
  tools: toolsStrings,
  transfer: transferStrings,
  variables: variablesStrings,
  visitors: visitorsStrings,
  volume: volumeStrings,
  webhook: webhookStrings,
} = toTexts({ english, translation: translatedMessages(), language: languageTag() }) as Texts<typeof english>;

/** The names in a table, in its order. */
export function namesIn<Table extends object>(table: Table): NameIn<Table>[] {
  const names: NameIn<Table>[] = [];
  for (const name in table) names.push(name);
  return names;
}

/** The names in a table of texts with their texts, as selects and segmented controls take them. */
export function choicesIn<Table extends Readonly<Record<string, string>>>(table: Table) {
  return namesIn(table).map((value) => ({ value, label: table[value] }));
}

type NameIn<Table> = Extract<keyof Table, string>;

/** The text that `texts` has for a name of the server's, which may know more names than this page. */
export function textFor(texts: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}
