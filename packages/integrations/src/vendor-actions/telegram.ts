import { isJsonObject, type Json, type JsonObject } from "@weft/schema";
import {
  type ActionRequest,
  ArgumentError,
  bodyOf,
  choice,
  count,
  defineVendor,
  text,
  type VendorAction,
} from "./define-vendor.ts";
import { tokenInPath } from "./sign-in.ts";
import { itemsAt, pick, type Shape, showItem, textAt, valueAt } from "./vendor-answer.ts";

const chatId = text("Id of the chat, as get_updates lists it, or @name of a channel.", 100);
const format = choice("How the text is written: as it is, or with tags such as <b>. Default plain.", ["plain", "html"]);
const replyTo = count("Id of the message that it answers.", 2_147_483_647);
const sent: Shape = { messageId: "result.message_id", chatId: "result.chat.id" };

const post = (method: string, body: JsonObject): ActionRequest => ({ method: "POST", path: `/${method}`, body });

const toParseMode = (value: Json | undefined) => (value === "html" ? "HTML" : undefined);
const toReply = (value: Json | undefined) => (value === undefined ? undefined : { message_id: value });

/** Of messages and of posts in channels. */
const messageShape: Shape = {
  messageId: "message_id",
  chatId: "chat.id",
  chat: "chat.title",
  from: "from.first_name",
  username: "from.username",
  date: "date",
  text: ["text", 4_096],
  caption: ["caption", 1_024],
  file: "document.file_name",
};

function showUpdates(answer: Json, chat: Json | undefined): string | undefined {
  const items = itemsAt(answer, "result")?.flatMap((update) => {
    const message = update.message ?? update.edited_message ?? update.channel_post;
    const isWanted = chat === undefined || isOf(message, String(chat));
    return isJsonObject(message) && isWanted
      ? [{ ...pick(update, { updateId: "update_id" }), ...pick(message, messageShape) }]
      : [];
  });
  return items && JSON.stringify({ items });
}

function isOf(message: Json | undefined, chat: string): boolean {
  return textAt(message, "chat.id") === chat || `@${textAt(message, "chat.username")}` === chat;
}

const actions: Record<string, VendorAction> = {
  sendMessage: {
    description: "Sends a message to a chat in which the bot is.",
    effect: "write",
    parameters: { chatId, text: text("The message.", 4_096), format, replyTo },
    required: ["chatId", "text"],
    toRequest: ({ chatId: chat_id, text: message, format: way, replyTo: answered }) =>
      post(
        "sendMessage",
        bodyOf({ chat_id, text: message, parse_mode: toParseMode(way), reply_parameters: toReply(answered) }),
      ),
    toText: (answer) => showItem(answer, sent),
  },
  sendPhoto: {
    description: "Sends a picture, which Telegram reads from its address, to a chat in which the bot is.",
    effect: "write",
    parameters: {
      chatId,
      photoUrl: text("Address of the picture, with https:// at its beginning.", 2_000),
      caption: text("A text below the picture.", 1_024),
      format,
      replyTo,
    },
    required: ["chatId", "photoUrl"],
    toRequest: ({ chatId: chat_id, photoUrl, caption, format: way, replyTo: answered }) => {
      if (!/^https?:\/\//i.test(String(photoUrl))) {
        throw new ArgumentError("Nothing was called: the picture is read from an address that begins with https://.");
      }
      const settings = { parse_mode: toParseMode(way), reply_parameters: toReply(answered) };
      return post("sendPhoto", bodyOf({ chat_id, photo: photoUrl, caption, ...settings }));
    },
    toText: (answer) => showItem(answer, sent),
  },
  getUpdates: {
    description:
      "Reads what was written to the bot in the last 24 hours, oldest first, up to a hundred messages. Not for a bot with a webhook.",
    effect: "read",
    parameters: { chatId: text("Only of this chat, by its id or @name.", 100) },
    required: [],
    toRequest: () => ({ method: "GET", path: "/getUpdates", query: { limit: 100, timeout: 0 } }),
    toText: (answer, { args }) => showUpdates(answer, args.chatId),
  },
  forgetUpdates: {
    description: "Removes messages from what get_updates reads, so that it goes on with later ones.",
    effect: "destructive",
    parameters: {
      updateId: count("The last one to remove, by the updateId that get_updates lists.", 9_007_199_254_740_990),
    },
    required: ["updateId"],
    toRequest: (args) => ({
      method: "GET",
      path: "/getUpdates",
      query: { offset: Number(args.updateId) + 1, limit: 1, timeout: 0 },
    }),
    toText: () => "They were removed.",
  },
};

/** Telegram refuses with `ok: false` and a description. Source: core.telegram.org/bots/api, "Making requests". */
function toRefusal(answer: Json): string | undefined {
  if (valueAt(answer, "ok") !== false) return undefined;
  return `Telegram refused the call: ${textAt(answer, "description") ?? "no reason given"}.`;
}

/** Messages of a bot. Source: core.telegram.org/bots/api. */
export const telegram = defineVendor({
  type: "telegram",
  title: "Telegram",
  summary: "Sends messages and pictures as a bot, and reads what people write to it.",
  icon: "toolkit",
  prefix: "telegram",
  address: { url: "https://api.telegram.org" },
  signIn: tokenInPath({
    name: "telegramApi",
    field: "telegramBotToken",
    takes: "a Telegram credential with the token of a bot",
  }),
  toRefusal,
  remedies: { 404: "Telegram knows no such bot or method: enter the token that @BotFather gave in the credential." },
  actions,
});
