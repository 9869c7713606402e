import type { CompiledFlow } from "@weft/engine";
import { formOf } from "@weft/nodes";
import { type Agent, agentTypeSchema, type ChatConfig, type UploadInfo } from "@weft/schema";
import type { RunnableAgent } from "../agents/agent-reader.ts";
import { parseChatLook } from "./parse-settings.ts";
import { toProviders } from "./providers-of-flow.ts";
import { toPublicFlow } from "./public-flow.ts";
import { toUploadInfo } from "./upload-info.ts";

export type ChatClientServiceDeps = {
  getForRun(agentId: string): Promise<RunnableAgent>;
  compile(versionId: string, flowData: string): CompiledFlow;
  /** Name of the provider that answers where a flow names none. */
  findDefaultProvider(): Promise<string>;
  bodyLimitBytes: number;
};

/** What chat clients ask before they send a message. Every function rejects with `not-found` for an unknown agent. */
export type ChatClientService = {
  uploadInfo(agentId: string): Promise<UploadInfo>;
  chatConfig(agentId: string): Promise<ChatConfig>;
  /** The agent without anything that is not for its visitors. */
  publicAgent(agentId: string): Promise<Agent>;
};

export function createChatClientService(deps: ChatClientServiceDeps): ChatClientService {
  const { getForRun, compile, findDefaultProvider, bodyLimitBytes } = deps;

  async function toUploads({ agent, versionId, flowData }: RunnableAgent): Promise<UploadInfo> {
    const { speechToText, chatbotConfig } = agent;
    const look = parseChatLook(chatbotConfig);
    const defaultProvider = await findDefaultProvider();
    return toUploadInfo({ flow: compile(versionId, flowData), speechToText, look, defaultProvider, bodyLimitBytes });
  }

  async function toBeginning({
    versionId,
    flowData,
  }: RunnableAgent): Promise<Pick<ChatConfig, "form" | "isRehearsal">> {
    const flow = compile(versionId, flowData);
    const form = formOf(flow);
    const isRehearsal = toProviders(flow, await findDefaultProvider()).includes("rehearsal");
    return form === undefined ? { isRehearsal } : { form, isRehearsal };
  }

  return {
    uploadInfo: async (agentId) => toUploads(await getForRun(agentId)),

    async chatConfig(agentId) {
      const runnable = await getForRun(agentId);
      const beginning = await toBeginning(runnable);
      return {
        ...parseChatLook(runnable.agent.chatbotConfig),
        uploads: await toUploads(runnable),
        flowData: toPublicFlow(beginning.form),
        isTTSEnabled: false,
        ...beginning,
      };
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
        chatbotConfig: JSON.stringify(parseChatLook(agent.chatbotConfig)),
      };
    },
  };
}
