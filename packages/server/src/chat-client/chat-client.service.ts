import type { RunnableAgent } from "@weft/agents";
import type { CompiledFlow } from "@weft/engine";
import { ifFound } from "@weft/http";
import { formOf } from "@weft/nodes";
import { chatProviders, parseSpeechToText, parseTextToSpeech } from "@weft/providers";
import {
  type Agent,
  agentTypeSchema,
  type ChatConfig,
  type ChatLook,
  readChatLook,
  type StartForm,
  toShownName,
  type UploadInfo,
} from "@weft/schema";
import { z } from "zod";
import type { Context } from "../context.ts";
import type { Needs } from "../feature.ts";

/**
 * Facts that chat clients need before they send a message. Every function rejects with `not-found` for an unknown
 * agent.
 */
export type ChatClientService = {
  uploadInfo(agentId: string): Promise<UploadInfo>;
  chatConfig(agentId: string): Promise<ChatConfig>;
  /** As `chatConfig`, of the agent's draft where it has one. */
  draftChatConfig(agentId: string): Promise<ChatConfig>;
  /** The agent without anything that is not for its visitors. */
  publicAgent(agentId: string): Promise<Agent>;
};

export function createChatClientService(
  { config: { bodyLimitBytes } }: Context,
  { defaultModel, drafts, runnables: { compile, getForRun } }: Needs<"defaultModel" | "drafts" | "runnables">,
): ChatClientService {
  async function toUploads({ agent, versionId, flowData }: RunnableAgent): Promise<UploadInfo> {
    const { speechToText, chatbotConfig } = agent;
    const look = readChatLook(chatbotConfig);
    const defaultProvider = await defaultModel.findProvider();
    return toUploadInfo({ flow: compile(versionId, flowData), speechToText, look, defaultProvider, bodyLimitBytes });
  }

  async function toBeginning({ versionId, flowData }: RunnableAgent) {
    const flow = compile(versionId, flowData);
    const form = formOf(flow);
    const isRehearsal = toProviders(flow, await defaultModel.findProvider()).some(({ name }) => name === "rehearsal");
    return form === undefined ? { isRehearsal } : { form, isRehearsal };
  }

  async function toConfig(runnable: RunnableAgent): Promise<ChatConfig> {
    const beginning = await toBeginning(runnable);
    return {
      ...readChatLook(runnable.agent.chatbotConfig),
      name: toShownName(runnable.agent.name),
      uploads: await toUploads(runnable),
      flowData: toPublicFlow(beginning.form),
      isTTSEnabled: parseTextToSpeech(runnable.agent.chatbotConfig) !== undefined,
      ...beginning,
    };
  }

  return {
    uploadInfo: async (agentId) => toUploads(await getForRun(agentId)),
    chatConfig: async (agentId) => toConfig(await getForRun(agentId)),

    async draftChatConfig(agentId) {
      const runnable = await getForRun(agentId);
      const draft = await ifFound(drafts.get(agentId));
      if (draft?.isDraft !== true) return toConfig(runnable);
      const { flowData, updatedDate } = draft;
      // Each save of a draft has a later date, so this names one text, as a version does.
      return toConfig({ ...runnable, flowData, versionId: `${agentId} ${updatedDate}` });
    },

    async publicAgent(agentId) {
      const { agent, versionId, flowData } = await getForRun(agentId);
      const { id, name, deployed, isPublic, category, type, createdDate, updatedDate } = agent;
      const hidden = { apikeyid: "", apiConfig: "{}", analytic: "{}", speechToText: "{}" };
      const shown = { id, name, category, createdDate, updatedDate, type: agentTypeSchema.parse(type) };
      return {
        ...shown,
        ...hidden,
        deployed: deployed === 1,
        isPublic: isPublic === 1,
        flowData: toPublicFlow(formOf(compile(versionId, flowData))),
        chatbotConfig: JSON.stringify(readChatLook(agent.chatbotConfig)),
      };
    },
  };
}

/**
 * The flow as existing chat clients read it, as JSON text: a start node in the format of AgentFlow V2 that asks for the
 * form, or for a message. It is built from the form alone, so it never contains prompts, addresses, tools or
 * credentials.
 */
function toPublicFlow(form: StartForm | undefined): string {
  const inputs = form === undefined ? { startInputType: "chatInput" } : toFormInputs(form);
  return JSON.stringify({ nodes: [{ id: "startAgentflow_0", data: { name: "startAgentflow", inputs } }], edges: [] });
}

function toFormInputs({ title, description, fields }: StartForm) {
  return {
    startInputType: "formInput",
    formTitle: title,
    formDescription: description,
    formInputTypes: fields.map(({ type, label, name, options }) => ({
      type,
      label: label || name,
      name,
      addOptions: options.map((option) => ({ option })),
    })),
  };
}

/** File settings of an agent and its flow. */
type UploadSettings = {
  flow: CompiledFlow;
  speechToText: string;
  look: ChatLook;
  /** The provider that answers if a flow names none. */
  defaultProvider: string;
  bodyLimitBytes: number;
};

const imageTypes = ["image/gif", "image/jpeg", "image/png", "image/webp"];

/** Largest image that clients should send, in megabytes, as in existing clients. */
const imageSizeMb = 5;

/** The files that a chat client may offer to send. */
function toUploadInfo({ flow, speechToText, look, defaultProvider, bodyLimitBytes }: UploadSettings): UploadInfo {
  const takesImages = toProviders(flow, defaultProvider).some(({ acceptsImages }) => acceptsImages);
  const { fullFileUpload } = look;
  const fileTypes = (fullFileUpload?.allowedUploadFileTypes ?? "").split(",").map((type) => type.trim());
  const limitMb = Math.floor(bodyLimitBytes / 1_024 ** 2);
  return {
    isSpeechToTextEnabled: parseSpeechToText(speechToText) !== undefined,
    isImageUploadAllowed: takesImages,
    isRAGFileUploadAllowed: false,
    imgUploadSizeAndTypes: takesImages
      ? [{ fileTypes: imageTypes, maxUploadSize: Math.min(imageSizeMb, limitMb) }]
      : [],
    fileUploadSizeAndTypes: fullFileUpload?.status
      ? [{ fileTypes: fileTypes.filter((type) => type !== ""), maxUploadSize: fullFileUpload.maxUploadSize ?? limitMb }]
      : [],
  };
}

const nodeWithModel = z.object({ model: z.object({ provider: z.string().optional() }).default({}) });

/** The providers of the models used by a flow's nodes, in node order; `defaultProvider` for nodes that name none. */
function toProviders({ flow }: CompiledFlow, defaultProvider: string) {
  return flow.nodes
    .filter(({ type }) => type === "llm" || type === "agent")
    .map(({ config }) => nodeWithModel.safeParse(config).data?.model.provider || defaultProvider)
    .flatMap((provider) => chatProviders.find(({ name }) => name === provider) ?? []);
}
