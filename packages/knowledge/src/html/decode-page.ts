import { decodeBytes, htmlCharset, toCharset } from "../encoding/index.ts";

/** An HTTP response, with lower-case header names. */
type Answer = { headers: Readonly<Record<string, string>>; body: Uint8Array };

/** Whether to read it as an HTML page. */
export function isHtml({ headers, body }: Answer): boolean {
  const type = headers["content-type"] ?? "";
  if (type !== "") return /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(type);
  return /^\s*<(!doctype html|html|head|body)\b/i.test(new TextDecoder("latin1").decode(body.subarray(0, 500)));
}

/** Decodes a page in the encoding of its header, or the one that `decodeBytes` finds. */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  return decodeBytes(bytes, { label: toCharset(contentType), declared: htmlCharset });
}
