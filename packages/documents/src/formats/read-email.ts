import { tryDecode } from "@weft/knowledge/encoding";
import { createPageParser, maxPageDepth, toMarkdown } from "@weft/knowledge/html";
import PostalMime, { type Address, type Attachment, type Email } from "postal-mime";
import { decodeText } from "../decode-text.ts";
import { formatOf } from "../detect-format.ts";
import type { DocumentSection, MailHeaders } from "../document.ts";
import type { ReadContext, ReadResult } from "../read-context.ts";
import { Unreadable } from "../unreadable.ts";

/**
 * Reads a message: its headers and its text, from its HTML only if there is no other, then its attachments, read as
 * separate files, including messages. Unreadable attachments are named. Source: RFC 5322, RFC 2045 to 2047.
 */
export async function readEmail(context: ReadContext): Promise<ReadResult> {
  const { bytes, budget, depth = 0 } = context;
  if (depth > mostMessages) throw new Unreadable(`messages are attached to messages more than ${mostMessages} deep`);
  const message = await parseMessage(withCharset(bytes));
  const mail = toHeaders(message);
  const body = budget.take(readBody(message) ?? readUndivided(bytes));
  const text = [toHead(message, mail), body].filter((part) => part !== "").join("\n\n");
  const sections: DocumentSection[] = [{ text, metadata: {} }];
  const skippedAttachments: string[] = [];
  for (const attachment of message.attachments) {
    const read = await readAttachment(attachment, { ...context, depth: depth + 1 });
    const name = nameOf(attachment, typeof read === "object" ? read.title : undefined);
    if (typeof read === "object") {
      sections.push(...read.sections.map((section) => within(name, section)));
      skippedAttachments.push(...(read.skippedAttachments ?? []).map((inner) => `${name}/${inner}`));
    } else if (read === "unreadable") skippedAttachments.push(name);
  }
  return { sections, title: message.subject, mail, skippedAttachments };
}

const mostMessages = 5;

async function parseMessage(bytes: Uint8Array): Promise<Email> {
  const message = await new PostalMime({ forceRfc822Attachments: true, maxNestingDepth: 100 })
    .parse(bytes)
    .catch(() => undefined);
  if (message === undefined) throw new Unreadable("its parts are nested too deeply, or its headers are too long");
  const { from, to, subject, date, messageId } = message;
  if ([from, to, subject, date, messageId].every((header) => header === undefined)) {
    throw new Unreadable("it is no e-mail: it has no headers of one");
  }
  if (message.attachments.some(({ mimeType }) => encrypted.has(mimeType))) {
    throw new Unreadable("it is encrypted; save it decrypted");
  }
  return message;
}

const encrypted = new Set(["application/pgp-encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"]);

/** Old messages without a declared encoding are decoded as files are. */
function withCharset(bytes: Uint8Array): Uint8Array {
  const isDeclared = /charset/i.test(new TextDecoder("latin1").decode(bytes));
  if (isDeclared || tryDecode(bytes, "utf-8") !== undefined) return bytes;
  return new TextEncoder().encode(decodeText(bytes));
}

function toHeaders({ from, to, cc, date }: Email): MailHeaders {
  const headers = { from: from && toNames([from]), to: to && toNames(to), cc: cc && toNames(cc), date };
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value));
}

function toNames(addresses: readonly Address[]): string {
  const names = addresses.flatMap((entry) => entry.group ?? [entry]).map(toName);
  const shown = names.slice(0, mostNames).join(", ");
  return names.length > mostNames ? `${shown} and ${names.length - mostNames} more` : shown;
}

const mostNames = 50;

function toName({ name, address = "" }: { name: string; address?: string | undefined }): string {
  if (name === "" || address === "") return (name || address).slice(0, 300);
  return `${name.slice(0, 200)} <${address.slice(0, 300)}>`;
}

function toHead({ subject }: Email, { from, to, cc, date }: MailHeaders): string {
  const lines = { From: from, To: to, Cc: cc, Date: date, Subject: subject?.slice(0, 1_000) };
  return Object.entries(lines)
    .flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []))
    .join("\n");
}

/** Undefined if the message's parts cannot be separated, as with a missing boundary. */
function readBody({ text, html, attachments }: Email): string | undefined {
  if (text !== undefined) return text.replaceAll("\r\n", "\n").trim();
  if (html === undefined) return attachments.length === 0 ? undefined : "";
  const parser = createPageParser();
  parser.write(html);
  const page = parser.end();
  if (page === "too-deep") throw new Unreadable(`its elements are nested more than ${maxPageDepth} levels deep`);
  return toMarkdown(page.root);
}

/** Everything after the headers. */
function readUndivided(bytes: Uint8Array): string {
  const whole = decodeText(bytes).replaceAll("\r\n", "\n");
  const end = whole.indexOf("\n\n");
  return end === -1 ? "" : whole.slice(end).trim();
}

/** `beside`: a picture inside the text, or a signature. Faulty attachments never fail their message. */
async function readAttachment(
  attachment: Attachment,
  context: ReadContext,
): Promise<ReadResult | "beside" | "unreadable"> {
  const { related } = attachment;
  // Server reports are text; the default type is plain text. Source: RFC 2045, section 5.2.
  const mimeType = isPlain.test(attachment.mimeType) ? "text/plain" : attachment.mimeType;
  if ((related && mimeType.startsWith("image/")) || signature.test(mimeType)) return "beside";
  const bytes = new Uint8Array(attachment.content as ArrayBuffer);
  try {
    const format = formatOf({ name: nameOf(attachment), mimeType, bytes });
    if (format === undefined || bytes.length === 0) return "unreadable";
    const read = await context.readFormat({ ...context, bytes, format, label: undefined });
    return read.sections.some(({ text }) => text.trim() !== "") ? read : "unreadable";
  } catch {
    // Too much text fails the whole message: this throws again.
    context.budget.take("");
    return "unreadable";
  }
}

const isPlain = /^[^/]*$|^message\/(delivery-status|disposition-notification|feedback-report)$/;
const signature = /^application\/(pgp|(x-)?pkcs7)-signature$/;

/** A message without a file name is named after its subject. */
function nameOf({ filename, mimeType }: Attachment, title = "message"): string {
  if (filename) return filename.slice(0, 200);
  return mimeType === "message/rfc822" ? `${title.slice(0, 200)}.eml` : mimeType;
}

function within(name: string, { text, metadata }: DocumentSection): DocumentSection {
  const { attachment } = metadata;
  return { text, metadata: { ...metadata, attachment: attachment === undefined ? name : `${name}/${attachment}` } };
}
