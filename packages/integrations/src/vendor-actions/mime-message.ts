import { Buffer } from "node:buffer";

export type MailMessage = { to: string; subject: string; body: string; cc?: string; bcc?: string };

/** A mail (RFC 5322, RFC 2045) in base64url. A body that starts with a tag is HTML. */
export function toMimeMessage({ to, subject, body, cc = "", bcc = "" }: MailMessage): string {
  const type = isHtml(body) ? "html" : "plain";
  const lines = [
    `To: ${toHeader(to)}`,
    ...(cc === "" ? [] : [`Cc: ${toHeader(cc)}`]),
    ...(bcc === "" ? [] : [`Bcc: ${toHeader(bcc)}`]),
    `Subject: ${toWords(subject)}`,
    "MIME-Version: 1.0",
    `Content-Type: text/${type}; charset=utf-8`,
    "Content-Transfer-Encoding: base64",
    "",
    ...(Buffer.from(body)
      .toString("base64")
      .match(/.{1,76}/g) ?? []),
  ];
  return Buffer.from(lines.join("\r\n")).toString("base64url");
}

/** Whether a text is HTML: it starts with a tag. */
export function isHtml(body: string): boolean {
  return /^\s*<(?:!doctype|[a-z])/i.test(body);
}

/** Keeps a value from starting another header. */
function toHeader(value: string): string {
  return value.replaceAll(/[\r\n]+/g, " ").trim();
}

/** RFC 2047: encoded words of at most 75 characters, none of which splits a character. */
function toWords(subject: string): string {
  const text = toHeader(subject);
  if (/^[\x20-\x7e]{0,900}$/.test(text)) return text;
  const pieces = text.match(/.{1,11}/gsu) ?? [];
  return pieces.map((piece) => `=?utf-8?B?${Buffer.from(piece).toString("base64")}?=`).join("\r\n ");
}
