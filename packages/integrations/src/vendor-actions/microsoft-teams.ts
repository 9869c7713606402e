import { effectOfMethod, type JsonObject } from "@weft/schema";
import {
  type ActionArguments,
  count,
  defineVendor,
  listOf,
  segment,
  text,
  type VendorAction,
} from "./define-vendor.ts";
import { oAuth } from "./sign-in.ts";

const teamId = text("Id of the team. Leave it out for a chat.");
const team = text("Id of the team.");
const channelId = text("Id of the channel.");
const chatChannelId = text("Id of the channel of the team, or of the chat.");
const messageId = text("Id of the message.");
const userId = text("Id of the person, or the address with which they sign in.");
const maxResults = count("How many to list.", 50);

/** The requested channel or chat: a chat if no team is named. */
function placeOf({ teamId: ofTeam, chatChannelId: id }: ActionArguments): string {
  const isChat = ofTeam === undefined || ofTeam === "";
  return isChat ? `/chats/${segment(id)}` : `/teams/${segment(ofTeam)}/channels/${segment(id)}`;
}

const messageOf = (args: ActionArguments) => `${placeOf(args)}/messages/${segment(args.messageId)}`;
const channelOf = (args: ActionArguments) => `/teams/${segment(args.teamId)}/channels/${segment(args.channelId)}`;
const chatOf = (args: ActionArguments) => `/chats/${segment(args.chatId)}`;

function toMessage(content: unknown, contentType: unknown): JsonObject {
  return { body: { contentType: contentType === "html" ? "html" : "text", content: String(content) } };
}

function toMember(user: unknown): JsonObject {
  return {
    "@odata.type": "#microsoft.graph.aadUserConversationMember",
    roles: ["owner"],
    "user@odata.bind": `https://graph.microsoft.com/v1.0/users('${String(user).replaceAll("'", "''")}')`,
  };
}

const contentType = { type: "string", enum: ["text", "html"], description: "How the text is written. Default text." };

const messages: Record<string, VendorAction> = {
  sendMessage: {
    description: "Sends a message to a channel or a chat.",
    effect: "write",
    parameters: { teamId, chatChannelId, messageBody: text("The message."), contentType },
    required: ["chatChannelId", "messageBody"],
    toRequest: (args) => ({
      method: "POST",
      path: `${placeOf(args)}/messages`,
      body: toMessage(args.messageBody, args.contentType),
    }),
  },
  listMessages: {
    description: "Lists the messages of a channel or a chat, newest first.",
    effect: "read",
    parameters: { teamId, chatChannelId, maxResults },
    required: ["chatChannelId"],
    toRequest: (args) => ({
      method: "GET",
      path: `${placeOf(args)}/messages`,
      query: { $top: args.maxResults ?? 20 },
    }),
  },
  getMessage: {
    description: "Reads a message.",
    effect: "read",
    parameters: { teamId, chatChannelId, messageId },
    required: ["chatChannelId", "messageId"],
    toRequest: (args) => ({ method: "GET", path: messageOf(args) }),
  },
  updateMessage: {
    description: "Replaces the text of a message.",
    effect: "write",
    parameters: { teamId, chatChannelId, messageId, messageBody: text("The new text.") },
    required: ["chatChannelId", "messageId", "messageBody"],
    toRequest: (args) => ({ method: "PATCH", path: messageOf(args), body: toMessage(args.messageBody, "text") }),
  },
  deleteMessage: {
    description: "Deletes a message of a channel.",
    effect: "destructive",
    parameters: { teamId: team, chatChannelId, messageId },
    required: ["teamId", "chatChannelId", "messageId"],
    toRequest: (args) => ({ method: "POST", path: `${messageOf(args)}/softDelete` }),
  },
  replyToMessage: {
    description: "Answers a message of a channel.",
    effect: "write",
    parameters: { teamId: team, chatChannelId, messageId, replyBody: text("The answer."), contentType },
    required: ["teamId", "chatChannelId", "messageId", "replyBody"],
    toRequest: (args) => ({
      method: "POST",
      path: `${messageOf(args)}/replies`,
      body: toMessage(args.replyBody, args.contentType),
    }),
  },
  setReaction: {
    description: "Reacts to a message.",
    effect: "write",
    parameters: { teamId, chatChannelId, messageId, reactionType: text("An emoji, such as 👍.") },
    required: ["chatChannelId", "messageId", "reactionType"],
    toRequest: (args) => ({
      method: "POST",
      path: `${messageOf(args)}/setReaction`,
      body: { reactionType: String(args.reactionType) },
    }),
  },
  unsetReaction: {
    description: "Takes a reaction back.",
    effect: "write",
    parameters: { teamId, chatChannelId, messageId, reactionType: text("The emoji.") },
    required: ["chatChannelId", "messageId", "reactionType"],
    toRequest: (args) => ({
      method: "POST",
      path: `${messageOf(args)}/unsetReaction`,
      body: { reactionType: String(args.reactionType) },
    }),
  },
};

const channels: Record<string, VendorAction> = {
  listChannels: {
    description: "Lists the channels of a team.",
    effect: "read",
    parameters: { teamId: team },
    required: ["teamId"],
    toRequest: (args) => ({ method: "GET", path: `/teams/${segment(args.teamId)}/channels` }),
  },
  getChannel: {
    description: "Reads what a channel is called and for.",
    effect: "read",
    parameters: { teamId: team, channelId },
    required: ["teamId", "channelId"],
    toRequest: (args) => ({ method: "GET", path: channelOf(args) }),
  },
  createChannel: {
    description: "Makes a channel in a team.",
    effect: "write",
    parameters: {
      teamId: team,
      displayName: text("Its name."),
      description: text("What it is for."),
      membershipType: { type: "string", enum: ["standard", "private", "shared"], description: "Default standard." },
    },
    required: ["teamId", "displayName"],
    toRequest: ({ teamId: id, displayName, description = "", membershipType = "standard" }) => ({
      method: "POST",
      path: `/teams/${segment(id)}/channels`,
      body: { displayName: displayName ?? "", description, membershipType },
    }),
  },
  updateChannel: {
    description: "Changes the name of a channel.",
    effect: "write",
    parameters: { teamId: team, channelId, displayName: text("The new name.") },
    required: ["teamId", "channelId", "displayName"],
    toRequest: (args) => ({
      method: "PATCH",
      path: channelOf(args),
      body: { displayName: String(args.displayName) },
    }),
  },
  ...Object.fromEntries(
    (
      [
        ["deleteChannel", "Deletes a channel.", "DELETE", ""],
        ["archiveChannel", "Archives a channel.", "POST", "/archive"],
        ["unarchiveChannel", "Takes a channel out of the archive.", "POST", "/unarchive"],
      ] as const
    ).map(([name, description, method, end]): [string, VendorAction] => [
      name,
      {
        description,
        effect: effectOfMethod(method),
        parameters: { teamId: team, channelId },
        required: ["teamId", "channelId"],
        toRequest: (args) => ({ method, path: channelOf(args) + end }),
      },
    ]),
  ),
  listChannelMembers: {
    description: "Lists who is in a channel.",
    effect: "read",
    parameters: { teamId: team, channelId },
    required: ["teamId", "channelId"],
    toRequest: (args) => ({ method: "GET", path: `${channelOf(args)}/members` }),
  },
  addChannelMember: {
    description: "Adds a person to a private or shared channel.",
    effect: "write",
    parameters: { teamId: team, channelId, userId },
    required: ["teamId", "channelId", "userId"],
    toRequest: (args) => ({ method: "POST", path: `${channelOf(args)}/members`, body: toMember(args.userId) }),
  },
};

const chats: Record<string, VendorAction> = {
  listChats: {
    description: "Lists the chats of the person.",
    effect: "read",
    parameters: { maxResults },
    required: [],
    toRequest: (args) => ({ method: "GET", path: "/me/chats", query: { $top: args.maxResults ?? 20 } }),
  },
  getChat: {
    description: "Reads what a chat is about.",
    effect: "read",
    parameters: { chatId: text("Id of the chat.") },
    required: ["chatId"],
    toRequest: (args) => ({ method: "GET", path: chatOf(args) }),
  },
  createChat: {
    description: "Begins a chat.",
    effect: "write",
    parameters: {
      chatType: { type: "string", enum: ["oneOnOne", "group"], description: "Default group." },
      topic: text("Its title; of a group alone."),
      members: text("Ids or addresses of its members, the person's own among them, with commas between them."),
    },
    required: ["members"],
    toRequest: ({ chatType = "group", topic, members = "" }) => ({
      method: "POST",
      path: "/chats",
      body: {
        chatType,
        ...(chatType === "group" && topic !== undefined && { topic }),
        members: listOf(members).map(toMember),
      },
    }),
  },
  updateChat: {
    description: "Changes the title of a chat.",
    effect: "write",
    parameters: { chatId: text("Id of the chat."), topic: text("The new title.") },
    required: ["chatId", "topic"],
    toRequest: (args) => ({ method: "PATCH", path: chatOf(args), body: { topic: String(args.topic) } }),
  },
  listChatMembers: {
    description: "Lists who is in a chat.",
    effect: "read",
    parameters: { chatId: text("Id of the chat.") },
    required: ["chatId"],
    toRequest: (args) => ({ method: "GET", path: `${chatOf(args)}/members` }),
  },
  addChatMember: {
    description: "Adds a person to a chat.",
    effect: "write",
    parameters: { chatId: text("Id of the chat."), userId },
    required: ["chatId", "userId"],
    toRequest: (args) => ({ method: "POST", path: `${chatOf(args)}/members`, body: toMember(args.userId) }),
  },
};

/** A person's channels and chats. Source: learn.microsoft.com/graph/api/resources/teams-api-overview. */
export const microsoftTeams = defineVendor({
  type: "microsoft-teams",
  title: "Microsoft Teams",
  summary: "Reads and writes messages of channels and chats.",
  icon: "message",
  prefix: "teams",
  address: { url: "https://graph.microsoft.com/v1.0" },
  signIn: oAuth("microsoftTeamsOAuth2", "https://login.microsoftonline.com/common/oauth2/v2.0/token"),
  actions: { ...messages, ...channels, ...chats },
});
