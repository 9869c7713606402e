import type { Json } from "@weft/schema";
import { type ActionRequest, bodyOf, count, defineVendor, segment, text, type VendorAction } from "./define-vendor.ts";
import { withHeadersOf } from "./sign-in.ts";
import { type Shape, showItem, showList } from "./vendor-answer.ts";

const channelId = text("Id of the channel, as list_channels lists it.", 50);
const messageId = (description: string) => text(description, 50);

/** Discord demands this form. Source: discord.com/developers/docs/reference, "User Agent". */
const headers = { "user-agent": "DiscordBot (https://weft.example.com, 1)" };

const read = (path: string, query: ActionRequest["query"] = {}): ActionRequest => ({
  method: "GET",
  path,
  query,
  headers,
});
const messagesOf = (channel: Json | undefined) => `/channels/${segment(channel)}/messages`;

const messageShape: Shape = {
  id: "id",
  by: "author.username",
  isBot: "author.bot",
  at: "timestamp",
  text: ["content", 4_000],
  answers: "message_reference.message_id",
  files: "attachments.*.filename",
  embeds: "embeds.*.title",
};

const actions: Record<string, VendorAction> = {
  sendMessage: {
    description: "Sends a message to a channel.",
    effect: "write",
    parameters: {
      channelId,
      content: text("The message, in Markdown. It notifies people named as <@id>, and never everyone.", 2_000),
      replyTo: messageId("Id of the message that it answers."),
    },
    required: ["channelId", "content"],
    toRequest: ({ channelId: channel, content, replyTo }) => ({
      method: "POST",
      path: messagesOf(channel),
      headers,
      body: bodyOf({
        content,
        allowed_mentions: { parse: ["users"] },
        message_reference: replyTo === undefined ? undefined : { message_id: replyTo },
      }),
    }),
    toText: (answer) => showItem(answer, { id: "id", channelId: "channel_id" }),
  },
  readMessages: {
    description: "Reads the messages of a channel, newest first.",
    effect: "read",
    parameters: {
      channelId,
      limit: count("How many to list. Default 20.", 100),
      before: messageId("Only messages before this one, by its id: the last one listed, for the next part."),
      after: messageId("Only messages after this one, by its id."),
    },
    required: ["channelId"],
    toRequest: ({ channelId: channel, limit = 20, before, after }) =>
      read(messagesOf(channel), { limit, before, after }),
    toText: (answer) => showList(answer, { items: "", shape: messageShape }),
  },
  listServers: {
    description: "Lists the servers in which the bot is.",
    effect: "read",
    parameters: {},
    required: [],
    toRequest: () => read("/users/@me/guilds"),
    toText: (answer) => showList(answer, { items: "", shape: { id: "id", name: "name" } }),
  },
  listChannels: {
    description: "Lists the channels of a server. Those of type 0 and 5 have messages.",
    effect: "read",
    parameters: { serverId: text("Id of the server, as list_servers lists it.", 50) },
    required: ["serverId"],
    toRequest: (args) => read(`/guilds/${segment(args.serverId)}/channels`),
    toText: (answer) =>
      showList(answer, { items: "", shape: { id: "id", name: "name", type: "type", topic: ["topic", 200] } }),
  },
};

/** Messages of servers, as a bot. Source: discord.com/developers/docs/resources/message. */
export const discord = defineVendor({
  type: "discord",
  title: "Discord",
  summary: "Sends messages to channels as a bot and reads them.",
  icon: "toolkit",
  prefix: "discord",
  address: { url: "https://discord.com/api/v10" },
  signIn: withHeadersOf("a Discord credential with the token of a bot"),
  remedies: { 403: "The bot lacks the permission in this channel: someone who manages the server has to give it." },
  actions,
});
