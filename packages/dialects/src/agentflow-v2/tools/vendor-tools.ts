import type { JsonObject } from "@weft/schema";
import { toCredential } from "../models/to-model-settings.ts";
import { present } from "../node-converter.ts";
import type { ToolConverter, ToolScope } from "./tool-converter.ts";

/** A component for the API of one vendor: which actions are chosen, and which setting gives which argument. */
type VendorTool = {
  type: string;
  /** The setting that says which group of actions is meant. */
  groupKey: string;
  /** The setting that lists the actions of a group. */
  actionKeys: Readonly<Record<string, string>>;
  /** Actions that the native integration does not offer. */
  unavailable: ReadonlySet<string>;
  /** The argument that a setting gives to one of the chosen actions; undefined for a setting of others. */
  toArgument(setting: string, actions: ReadonlySet<string>): string | undefined;
};

function convertVendor({ type, groupKey, actionKeys, unavailable, toArgument }: VendorTool): ToolConverter {
  return (scope) => {
    const { name, settings, report } = scope;
    const chosen = settings.names(actionKeys[settings.text(groupKey)] ?? "");
    const actions = chosen.filter((action) => !unavailable.has(action));
    if (actions.length < chosen.length) {
      const others = chosen.filter((action) => unavailable.has(action)).join(", ");
      report.warn(
        "tool-action-unavailable",
        `Its tool ${name} has no action ${others} here. Check what it is used for.`,
      );
    }
    if (actions.length === 0) {
      report.warn("tool-actions-missing", `No action of its tool ${name} is chosen, so it is left out. Choose one.`);
      return undefined;
    }
    const credential = toCredential(settings);
    if (credential === undefined) {
      report.refuse(
        "tool-credential-missing",
        `Its tool ${name} has no credential: exports leave them out. Choose an OAuth 2 credential with a refresh token.`,
      );
    }
    return {
      type,
      config: present({ credential, actions, defaults: toDefaults(scope, new Set(actions), toArgument) }),
    };
  };
}

/** What the model need not give; undefined when that is nothing. */
function toDefaults(
  { settings }: ToolScope,
  actions: ReadonlySet<string>,
  toArgument: VendorTool["toArgument"],
): JsonObject | undefined {
  const defaults: JsonObject = {};
  for (const key of settings.keys()) {
    const argument = toArgument(key, actions);
    if (argument === undefined || argument in defaults) continue;
    const isCount = argument === "maxResults";
    defaults[argument] = isCount ? Math.max(1, Math.floor(settings.number(key) ?? 1)) : settings.template(key);
  }
  return Object.keys(defaults).length === 0 ? undefined : defaults;
}

const gmailActions: Readonly<Record<string, string>> = {
  drafts: "draftActions",
  messages: "messageActions",
  labels: "labelActions",
  threads: "threadActions",
};

const gmailSetting =
  /^(draft|draftUpdate|message|thread)(To|Subject|Body|Cc|Bcc|MaxResults|Query|AddLabelIds|RemoveLabelIds)$/;

const gmail = convertVendor({
  type: "gmail",
  groupKey: "gmailType",
  actionKeys: gmailActions,
  unavailable: new Set(),
  toArgument(setting, actions) {
    if (/^(?:draft|message|label|thread)Id$|^label(?:Name|Color)$/.test(setting)) {
      const noun = setting.replace(/(?:Id|Name|Color)$/, "");
      return [...actions].some((action) => action.toLowerCase().includes(noun)) ? setting : undefined;
    }
    const [, group = "", argument = ""] = gmailSetting.exec(setting) ?? [];
    const isOfAction = {
      draft: actions.has("createDraft") || actions.has("listDrafts"),
      draftUpdate: actions.has("updateDraft"),
      message: [...actions].some((action) => /Messages?$/.test(action)),
      thread: [...actions].some((action) => /Threads?$/.test(action)),
    }[group];
    return isOfAction ? toLowerFirst(argument) : undefined;
  },
});

const teamsSetting =
  /^(teamId|channelId|displayName|description|membershipType|maxResults|chatId|chatType|topic|members|userId|chatChannelId|messageId|messageBody|contentType|replyBody|reactionType)([A-Z]\w*)$/;

/** What the end of a setting's name says of the actions that it belongs to, where that is not the action itself. */
const teamsEnds: Readonly<Record<string, readonly string[]>> = {
  DeleteChannel: ["deleteChannel", "archiveChannel", "unarchiveChannel"],
  ChannelMembers: ["listChannelMembers", "addChannelMember"],
  ChannelMember: ["addChannelMember"],
  ChatMembers: ["listChatMembers", "addChatMember"],
  ChatMember: ["addChatMember"],
  ReplyMessage: ["replyToMessage"],
  Reaction: ["setReaction", "unsetReaction"],
};

const microsoftTeams = convertVendor({
  type: "microsoft-teams",
  groupKey: "teamsType",
  actionKeys: { channel: "channelActions", chat: "chatActions", chatMessage: "chatMessageActions" },
  unavailable: new Set([
    "removeChannelMember",
    "deleteChat",
    "removeChatMember",
    "pinMessage",
    "unpinMessage",
    "getAllMessages",
  ]),
  toArgument(setting, actions) {
    const [, argument, end = ""] = teamsSetting.exec(setting) ?? [];
    const owners = teamsEnds[end] ?? [toLowerFirst(end)];
    return owners.some((action) => actions.has(action)) ? argument : undefined;
  },
});

function toLowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

export const vendorTools: Readonly<Record<string, ToolConverter>> = { gmail, microsoftTeams };
