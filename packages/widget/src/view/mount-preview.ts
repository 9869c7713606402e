import { emptyAnswer } from "@weft/conversation";
import type { ChatConfig, ChatLook } from "@weft/schema";
import { toLook, toScheme } from "../look/options.ts";
import type { AgentApi } from "../protocol/agent-api.ts";
import { createChatSession } from "../session/chat-session.ts";
import type { Turn } from "../session/conversation.ts";
import { createChatView } from "./chat-view.ts";
import { element } from "./element.ts";
import { openShadow } from "./shadow.ts";

export type PreviewOptions = {
  name: string;
  look: ChatLook;
  /** For chats that follow their visitor. */
  colorScheme: "light" | "dark";
  /** What was said. Default: nothing yet. */
  said?: { question: string; answer: string; tool: string } | undefined;
};

/** Shows in `host` how a chat looks. Nothing in it can be used, and nothing is sent. Called again, it shows the newer look. */
export function mountPreview(host: HTMLElement, { name, look: settings, colorScheme, said }: PreviewOptions): void {
  const config = toConfig(name, settings);
  const look = toLook({}, config);
  const shadow = openShadow(host, look);
  host.style.colorScheme = toScheme(look) ?? colorScheme;
  const session = createChatSession({
    api: nobody,
    newId: () => "preview",
    observers: {},
    kept: { chatId: "preview", turns: said === undefined ? [] : [toTurn(said)], draft: "", hasLead: false },
    schedule: () => undefined,
    isOnline: () => true,
    pause: async () => undefined,
  });
  const view = createChatView({ look, config, session, api: nobody });
  shadow.root.append(element("div", { class: "full", inert: true }, view.root));
}

function toConfig(name: string, look: ChatLook): ChatConfig {
  const takesFiles = look.fullFileUpload?.status === true;
  return {
    ...look,
    name,
    uploads: {
      isSpeechToTextEnabled: false,
      isImageUploadAllowed: false,
      isRAGFileUploadAllowed: false,
      imgUploadSizeAndTypes: [],
      fileUploadSizeAndTypes: takesFiles ? [{ fileTypes: [], maxUploadSize: 1 }] : [],
    },
    flowData: "",
    isTTSEnabled: false,
    isRehearsal: false,
  };
}

function toTurn({ question, answer, tool }: NonNullable<PreviewOptions["said"]>): Turn {
  const toolCalls = [{ tool, input: null, status: "finished" as const, output: "" }];
  const whole = { ...emptyAnswer, text: answer, toolCalls, messageId: "preview", state: { type: "finished" as const } };
  return { key: "preview", question, attachments: [], answer: whole };
}

/** A preview asks nothing of a server. */
const refuse = () => Promise.reject(new Error());
const nobody: AgentApi = {
  config: refuse,
  predict: refuse,
  events: refuse,
  abort: refuse,
  replies: refuse,
  rate: refuse,
  saveLead: refuse,
  readAloud: refuse,
  stopReadingAloud: refuse,
};
