import type { NoticeKind } from "@weft/schema";
import type { NoticeRow } from "./notice.store.ts";
import { linkOf, plainName, tellNotice } from "./notice-text.ts";

/** What is sent to a channel at once: made once, so that every attempt says the same. */
export type Message = {
  /** The same in every attempt. */
  id: string;
  createdDate: string;
  notices: MessageNotice[];
  /** How many notices there are besides. */
  more: number;
};

export type MessageNotice = {
  id: string;
  kind: NoticeKind | "test";
  subject: string;
  text: string;
  /** Whole where the server knows its address. */
  link: string;
  count: number;
  since: string;
  state: "open" | "resolved";
};

const mostTold = 50;

export function toMessage(notices: readonly NoticeRow[], about: Omit<Message, "notices" | "more"> & At): Message {
  const { id, createdDate, publicUrl } = about;
  const told = notices.slice(0, mostTold).map((notice) => toMessageNotice(notice, publicUrl));
  return { id, createdDate, notices: told, more: Math.max(0, notices.length - mostTold) };
}

type At = { publicUrl: string };

function toMessageNotice(notice: NoticeRow, publicUrl: string): MessageNotice {
  const { id, kind, name, count, since, resolvedDate } = notice;
  return {
    ...{ id, kind, count, since, subject: plainName(name), text: tellNotice(notice) },
    link: toLink(publicUrl, linkOf(notice)),
    state: resolvedDate === null ? "open" : "resolved",
  };
}

function toLink(publicUrl: string, path: string): string {
  return `${publicUrl.endsWith("/") ? publicUrl.slice(0, -1) : publicUrl}${path}`;
}

/** Says that a channel works. */
export function toTestMessage({ id, createdDate, publicUrl }: Omit<Message, "notices" | "more"> & At): Message {
  const notice: MessageNotice = {
    ...{ id, kind: "test", subject: "Weft", text: "This is a test. Notices will arrive here.", count: 1 },
    ...{ link: toLink(publicUrl, "/settings/notices"), since: createdDate, state: "open" },
  };
  return { id, createdDate, notices: [notice], more: 0 };
}

/** Subject and text of a mail. Neither has a line that a name made. */
export function toMail({ notices, more }: Message): { subject: string; text: string } {
  const [first] = notices;
  const others = notices.length - 1 + more;
  const subject = `[Weft] ${first?.text ?? ""}${others > 0 ? ` (and ${others} more)` : ""}`;
  const lines = notices.map(({ text, link, state }) => `${text}${stateOf(state)}\n${link}`);
  return { subject, text: `${[...lines, ...andMore(more)].join("\n\n")}\n` };
}

/** The body that Slack, Mattermost and Discord's `/slack` take. Names link nothing, format nothing and call nobody. */
export function toSlackBody({ notices, more }: Message): string {
  const lines = notices.map(({ text, link, state }) => `${escapeSlack(text)}${stateOf(state)}\n${link}`);
  return JSON.stringify({ text: [...lines, ...andMore(more)].join("\n\n") });
}

/** The body that is signed, as Standard Webhooks recommends it. */
export function toWebhookBody({ createdDate, notices, more }: Message): string {
  return JSON.stringify({ type: "notices", timestamp: createdDate, data: { notices, more } });
}

function stateOf(state: MessageNotice["state"]): string {
  return state === "resolved" ? " (resolved since)" : "";
}

function andMore(more: number): string[] {
  return more > 0 ? [`… and ${more} more.`] : [];
}

const wordJoiner = "\u2060";

/**
 * Escapes what Slack reads (https://docs.slack.dev/messaging/formatting-message-text), and parts what Mattermost and
 * Discord read besides: mentions, links and emphasis.
 */
function escapeSlack(text: string): string {
  return text
    .replace(/[@#*_~`[\]()|\\]|:\/\/|www\./giu, (found) => `${found.slice(0, 1)}${wordJoiner}${found.slice(1)}`)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
