import type { Json } from "@weft/schema";
import { count, defineVendor, flag, text, type VendorAction } from "./define-vendor.ts";
import { withHeadersOf } from "./sign-in.ts";
import { type Shape, showItem, showList, textAt, valueAt } from "./vendor-answer.ts";

const channel = text("Id of the channel or conversation, such as C0123456789, as list_channels lists it.", 100);
const ts = text("The ts of the message, such as 1712345678.000100, as read_history lists it.", 50);
const message = text(
  "The message, in Slack's mrkdwn: *bold*, _italic_, <https://example.com|a link>. It notifies no whole channel.",
  4_000,
);
const limit = count("How many to list. Default 20.", 100);
const cursor = text("Where the next part starts: the next of the last answer.", 500);

const messageShape: Shape = {
  ts: "ts",
  user: "user",
  bot: "bot_id",
  text: ["text", 4_000],
  replies: "reply_count",
  thread: "thread_ts",
  files: "files.*.name",
  reactions: "reactions.*.name",
};
const beside: Shape = { next: "response_metadata.next_cursor" };
const showMessages = (answer: Json) => showList(answer, { items: "messages", shape: messageShape, beside });

/** Of messages sent: where they are. */
const showSent = (answer: Json) => showItem(answer, { channel: "channel", ts: "ts" });

const messages: Record<string, VendorAction> = {
  postMessage: {
    description: "Posts a message to a channel.",
    effect: "write",
    parameters: { channel, text: message },
    required: ["channel", "text"],
    toRequest: (args) => post("chat.postMessage", { channel: args.channel, text: toMrkdwn(args.text) }),
    toText: showSent,
  },
  replyInThread: {
    description: "Answers a message in its thread.",
    effect: "write",
    parameters: { channel, ts, text: message },
    required: ["channel", "ts", "text"],
    toRequest: (args) =>
      post("chat.postMessage", { channel: args.channel, thread_ts: args.ts, text: toMrkdwn(args.text) }),
    toText: showSent,
  },
  addReaction: {
    description: "Adds a reaction to a message.",
    effect: "write",
    parameters: { channel, ts, name: text("Name of the emoji without colons, such as thumbsup.", 100) },
    required: ["channel", "ts", "name"],
    toRequest: (args) => {
      const name = String(args.name).replaceAll(":", "");
      return post("reactions.add", { channel: args.channel, timestamp: args.ts, name });
    },
    toText: () => "The reaction is there.",
  },
  readHistory: {
    description: "Reads the messages of a channel, newest first, without the answers in threads.",
    effect: "read",
    parameters: {
      channel,
      limit,
      oldest: text("Only messages after this ts or Unix time.", 50),
      latest: text("Only messages before this ts or Unix time.", 50),
      cursor,
    },
    required: ["channel"],
    toRequest: ({ limit: most = 20, ...query }) => read("conversations.history", { limit: most, ...query }),
    toText: showMessages,
  },
  readThread: {
    description: "Reads a message and the answers in its thread, oldest first.",
    effect: "read",
    parameters: { channel, ts, limit, cursor },
    required: ["channel", "ts"],
    toRequest: ({ limit: most = 20, ...query }) => read("conversations.replies", { limit: most, ...query }),
    toText: showMessages,
  },
};

const places: Record<string, VendorAction> = {
  listChannels: {
    description: "Lists channels.",
    effect: "read",
    parameters: {
      isPrivate: flag("Whether to list the private ones that the app is in. Default no: the public ones."),
      limit: count("How many to list. Default 100.", 200),
      cursor,
    },
    required: [],
    toRequest: ({ isPrivate = false, limit: most = 100, cursor: from }) =>
      read("conversations.list", {
        // Slack demands the scope of each type that is listed.
        types: isPrivate === true ? "private_channel" : "public_channel",
        exclude_archived: true,
        limit: most,
        cursor: from,
      }),
    toText: (answer) =>
      showList(answer, {
        items: "channels",
        shape: {
          id: "id",
          name: "name",
          isPrivate: "is_private",
          isMember: "is_member",
          members: "num_members",
          purpose: ["purpose.value", 200],
        },
        beside,
      }),
  },
  findUserByEmail: {
    description: "Finds a person by e-mail address. A message to their id goes to them alone.",
    effect: "read",
    parameters: { email: text("The whole address.", 320) },
    required: ["email"],
    toRequest: ({ email }) => read("users.lookupByEmail", { email }),
    toText: (answer) =>
      showItem(valueAt(answer, "user"), {
        id: "id",
        name: "name",
        realName: "real_name",
        title: "profile.title",
        timeZone: "tz",
        isDeactivated: "deleted",
      }),
  },
};

/** Without `<!channel>` and the like, which notify everyone. */
function toMrkdwn(value: Json | undefined): string {
  return String(value).replaceAll("<!", "&lt;!");
}

function post(method: string, body: Record<string, Json | undefined>) {
  const content = { type: "application/json; charset=utf-8", text: JSON.stringify(body) };
  return { method: "POST", path: `/${method}`, content } as const;
}

function read(method: string, query: Record<string, Json | undefined>) {
  return { method: "GET", path: `/${method}`, query } as const;
}

/** By the code of the error. */
const remedies: Readonly<Record<string, string>> = {
  channel_not_found: "Take the id of a channel from list_channels. The app sees no private channel that it is not in.",
  not_in_channel: "Someone has to invite the app to this channel.",
  is_archived: "The channel is archived. Choose another one.",
  users_not_found: "Nobody in this workspace has this address.",
  message_not_found: "Take the ts of a message from read_history.",
  thread_not_found: "Take the ts of a message from read_history.",
  already_reacted: "The reaction is there already.",
  invalid_name: "Slack has no emoji of this name.",
  missing_scope: "Add the scope to the app in Slack, install it again and enter the new token in the credential.",
  ...Object.fromEntries(
    ["invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired"].map((code) => [
      code,
      "The credential is not accepted: enter the bot token of an installed app in it.",
    ]),
  ),
};

/** Slack refuses with status 200, `ok: false` and a code. Source: docs.slack.dev/apis/web-api. */
function toRefusal(answer: Json): string | undefined {
  if (valueAt(answer, "ok") !== false) return undefined;
  const code = textAt(answer, "error", 200) ?? "no reason given";
  const needed = textAt(answer, "needed", 200);
  const scope = needed === undefined ? "" : ` The scope it needs is ${needed}.`;
  const remedy = Object.hasOwn(remedies, code) ? remedies[code] : undefined;
  return `Slack refused the call: ${code}.${scope}${remedy === undefined ? "" : `\n${remedy}`}`;
}

/** Messages of a workspace, as a bot. Source: docs.slack.dev/reference/methods. */
export const slack = defineVendor({
  type: "slack",
  title: "Slack",
  summary: "Reads channels, posts messages, answers in threads and finds people.",
  icon: "toolkit",
  prefix: "slack",
  address: { url: "https://slack.com/api" },
  signIn: withHeadersOf("a Slack credential with a bot token"),
  toRefusal,
  actions: { ...messages, ...places },
});
