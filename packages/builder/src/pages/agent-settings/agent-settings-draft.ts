import type { Agent, AgentUpdate } from "@weft/client";
import {
  budgetOf,
  type DayCeilings,
  type Json,
  type JsonObject,
  parseJsonObject,
  readBudget,
  readRetention,
  readWritePolicy,
  textOrEmpty,
  toJsonObject,
  type WritePolicy,
} from "@weft/schema";
import { agentSettingsStrings as strings } from "../../strings.ts";
import { fromOverrideSettings, type OverrideSettings, toOverrideSettings } from "./override-settings.ts";

export const leadFields = ["name", "email", "phone"] as const;
type LeadField = (typeof leadFields)[number];

/** What visitors may use up in a day: one by one, by their addresses, and together. */
export type VisitorBudget = Record<"address" | "agent", { runs: number; dollars: number }>;

/** The settings of an agent besides its flow, while being edited. */
export type AgentSettings = {
  isPublic: boolean;
  deployed: boolean;
  /** Id of the only key that may ask it; empty: any. */
  apiKeyId: string;
  origins: readonly string[];
  originsMessage: string;
  isLimited: boolean;
  limitMax: number;
  limitSeconds: number;
  limitMessage: string;
  visitorWrites: WritePolicy;
  budget: VisitorBudget;
  /** Days that chats of visitors and leads are kept; 0: as long as the installation keeps them. */
  retention: { visitorDays: number; leadDays: number };
  prompts: readonly string[];
  suggestsFollowUps: boolean;
  takesFeedback: boolean;
  takesFiles: boolean;
  /** Media types. */
  fileTypes: readonly string[];
  takesLeads: boolean;
  leadsTitle: string;
  leadsSuccess: string;
  leadFields: readonly LeadField[];
  /** The settings of each speech service by its name. */
  speech: JsonObject;
  /** The settings of each service that reads aloud, by its name. */
  voice: JsonObject;
  overrides: OverrideSettings;
  /** Settings of other clients, which are kept as they are. */
  otherChat: JsonObject;
  otherApi: JsonObject;
};

export function toAgentSettings(agent: Agent): AgentSettings {
  const chat = parse(agent.chatbotConfig);
  const api = parse(agent.apiConfig);
  const limit = toJsonObject(api.rateLimit);
  const leads = toJsonObject(chat.leads);
  const files = toJsonObject(chat.fullFileUpload);
  return {
    isPublic: agent.isPublic,
    deployed: agent.deployed,
    apiKeyId: agent.apikeyid,
    origins: textsOf(chat.allowedOrigins),
    originsMessage: textOrEmpty(chat.allowedOriginsError),
    isLimited: isInForce(limit),
    limitMax: numberOf(limit.limitMax) || 20,
    limitSeconds: numberOf(limit.limitDuration) || 60,
    limitMessage: textOrEmpty(limit.limitMsg) || strings.defaultLimitMessage,
    visitorWrites: readWritePolicy(agent.apiConfig),
    budget: toBudget(agent.apiConfig),
    retention: toRetention(agent.apiConfig),
    prompts: Object.values(toJsonObject(chat.starterPrompts)).flatMap(
      (entry) => textOrEmpty(toJsonObject(entry).prompt) || [],
    ),
    suggestsFollowUps: toJsonObject(chat.followUpPrompts).status === true,
    takesFeedback: toJsonObject(chat.chatFeedback).status === true,
    takesFiles: files.status === true,
    fileTypes: textsOf(textOrEmpty(files.allowedUploadFileTypes).split(",")),
    takesLeads: leads.status === true,
    leadsTitle: textOrEmpty(leads.title),
    leadsSuccess: textOrEmpty(leads.successMessage),
    leadFields: leadFields.filter((name) => leads[name] === true),
    speech: parse(agent.speechToText),
    voice: toJsonObject(chat.textToSpeech),
    overrides: toOverrideSettings(api),
    otherChat: chat,
    otherApi: api,
  };
}

/**
 * The request body for the API. Disabled features keep their settings, so that they can be enabled again; values that
 * were never set stay absent, which may mean something other than off.
 */
export function fromAgentSettings(draft: AgentSettings): AgentUpdate {
  const chat = { ...draft.otherChat };
  for (const [name, isOn, value] of toChat(draft)) if (isOn || Object.hasOwn(chat, name)) chat[name] = value;
  const api = { ...fromOverrideSettings(draft.otherApi, draft.overrides) };
  if (draft.isLimited || Object.hasOwn(api, "rateLimit")) api.rateLimit = toLimit(draft);
  if (!isDefault(draft.visitorWrites) || Object.hasOwn(api, "visitorWrites")) api.visitorWrites = draft.visitorWrites;
  setBudget(api, draft.budget);
  setRetention(api, draft.retention);
  return {
    isPublic: draft.isPublic,
    deployed: draft.deployed,
    apikeyid: draft.apiKeyId,
    chatbotConfig: JSON.stringify(chat),
    apiConfig: JSON.stringify(api),
    speechToText: JSON.stringify(draft.speech),
  };
}

function toBudget(apiConfig: string): VisitorBudget {
  const { address, visitors } = budgetOf(readBudget(apiConfig)).day;
  const amountsOf = ({ runs = 0, dollars = 0 }: DayCeilings) => ({ runs, dollars });
  return { address: amountsOf(address), agent: amountsOf(visitors) };
}

/** Writes only what was changed: what was never set follows the defaults. */
function setBudget(api: JsonObject, budget: VisitorBudget): void {
  const before = toBudget(JSON.stringify(api));
  for (const scope of ["address", "agent"] as const) {
    for (const amount of ["runs", "dollars"] as const) {
      if (budget[scope][amount] === before[scope][amount]) continue;
      const own = toJsonObject(api.budget);
      const visitors = toJsonObject(own.visitors);
      const amounts = { ...toJsonObject(visitors[scope]), [amount]: budget[scope][amount] };
      api.budget = { ...own, visitors: { ...visitors, [scope]: amounts } };
    }
  }
}

function toRetention(apiConfig: string): AgentSettings["retention"] {
  const { visitorDays = 0, leadDays = 0 } = readRetention(apiConfig);
  return { visitorDays, leadDays };
}

function setRetention(api: JsonObject, { visitorDays, leadDays }: AgentSettings["retention"]): void {
  const days = { ...(visitorDays > 0 && { visitorDays }), ...(leadDays > 0 && { leadDays }) };
  if (Object.keys(days).length > 0) api.retention = days;
  else delete api.retention;
}

function isDefault({ write, destructive }: WritePolicy): boolean {
  const byDefault = readWritePolicy("{}");
  return write === byDefault.write && destructive === byDefault.destructive;
}

/** Each with whether it is on. */
function toChat(draft: AgentSettings): [name: string, isOn: boolean, value: Json][] {
  const { otherChat, origins, originsMessage, prompts, suggestsFollowUps, takesFeedback, takesFiles, takesLeads } =
    draft;
  const { allowedUploadFileTypes: stored, ...files } = toJsonObject(otherChat.fullFileUpload);
  const types = toTypes(draft.fileTypes, stored);
  const leads = {
    title: draft.leadsTitle,
    successMessage: draft.leadsSuccess,
    ...Object.fromEntries(leadFields.map((name) => [name, draft.leadFields.includes(name)])),
  };
  return [
    ["allowedOrigins", origins.length > 0, [...origins]],
    ["allowedOriginsError", originsMessage !== "", originsMessage],
    ["starterPrompts", prompts.length > 0, Object.fromEntries(prompts.map((prompt, index) => [index, { prompt }]))],
    ["followUpPrompts", suggestsFollowUps, { ...toJsonObject(otherChat.followUpPrompts), status: suggestsFollowUps }],
    ["textToSpeech", Object.keys(draft.voice).length > 0, draft.voice],
    ["chatFeedback", takesFeedback, { ...toJsonObject(otherChat.chatFeedback), status: takesFeedback }],
    ["fullFileUpload", takesFiles, { ...files, ...types, status: takesFiles }],
    ["leads", takesLeads, { ...toJsonObject(otherChat.leads), ...leads, status: takesLeads }],
  ];
}

/** Without any the setting is absent; one that was stored empty, which lets nothing through, stays that. */
function toTypes(fileTypes: readonly string[], stored: Json | undefined): JsonObject {
  return fileTypes.length > 0 || stored === "" ? { allowedUploadFileTypes: fileTypes.join(",") } : {};
}

/** The server, too, passes over a limit that lacks something. */
function isInForce({ status, limitMax, limitDuration, limitMsg }: JsonObject): boolean {
  return status !== false && numberOf(limitMax) > 0 && numberOf(limitDuration) > 0 && textOrEmpty(limitMsg) !== "";
}

function toLimit({ otherApi, isLimited, limitMax, limitSeconds, limitMessage }: AgentSettings): JsonObject {
  const limitMsg = limitMessage.trim() || strings.defaultLimitMessage;
  return { ...toJsonObject(otherApi.rateLimit), status: isLimited, limitMax, limitDuration: limitSeconds, limitMsg };
}

function parse(text: string): JsonObject {
  return parseJsonObject(text) ?? {};
}

/** Keeps non-text values as text: dropping one from the allowed origins would let more sites in. */
function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map((entry) => String(entry).trim()).filter((text) => text !== "") : [];
}

/** Forms of other clients send numbers as text. */
function numberOf(value: Json | undefined): number {
  const number = Number(value);
  return Number.isFinite(number) ? number : 0;
}
