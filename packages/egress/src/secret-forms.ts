import { Buffer } from "node:buffer";

/** Shorter values are words that any text may contain. */
const minSecretLength = 6;

/**
 * The spellings in which a value may come back: as it is, escaped for JSON, a URL, a form or HTML, and in Base64, alone
 * or within a longer text (at each of the three offsets, without the characters that depend on its neighbours).
 */
export function formsOf(value: string): string[] {
  const text = value.trim();
  if (text.length < minSecretLength) return [];
  const json = JSON.stringify(text).slice(1, -1);
  const url = encodeURIComponent(text);
  const forms = [
    text,
    json,
    json.replaceAll("/", "\\/"),
    url,
    url.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    new URLSearchParams({ v: text }).toString().slice(2),
    escapeHtml(text),
    Buffer.from(text).toString("base64"),
    ...[0, 1, 2].flatMap((offset) => base64At(text, offset)),
  ];
  return [...new Set(forms)].filter((form) => form.length >= minSecretLength);
}

/**
 * Whether a value of the operator's environment needs no hiding: too short to be searched for, one word or a small
 * number (`production`, `100000`), a path, or an address without a name, a password or a query.
 */
export function isOrdinary(value: string): boolean {
  const text = value.trim();
  if (text.length < minSecretLength || /^([a-z]{1,16}|\d{1,9}|\/[\w./:-]*)$/i.test(text)) return true;
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  return url !== null && url.username === "" && url.password === "" && url.search === "" && url.hash === "";
}

function base64At(text: string, offset: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]);
  const encoded = bytes.toString("base64").replace(/(?<!=)=+$/, "");
  // Characters that contain bits of the bytes before, or of those after if the text continues.
  const inner = encoded.slice(offset === 0 ? 0 : offset + 1, bytes.length % 3 === 0 ? undefined : -1);
  return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")];
}

function escapeHtml(text: string): string {
  const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replaceAll(/[&<>"']/g, (character) => names[character] ?? character);
}
