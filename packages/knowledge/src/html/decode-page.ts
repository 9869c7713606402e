/** What an address answered, its header names in lower case. */
type Answer = { headers: Readonly<Record<string, string>>; body: Uint8Array };

/** Whether it is a page to be read as HTML. */
export function isHtml({ headers, body }: Answer): boolean {
  const type = headers["content-type"] ?? "";
  if (type !== "") return /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(type);
  return /^\s*<(!doctype html|html|head|body)\b/i.test(new TextDecoder("latin1").decode(body.subarray(0, 500)));
}

/** Text of a page: in the encoding of its header, else the one that it declares, else UTF-8, else Windows-1252. */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const named = /charset\s*=\s*"?([\w:-]{1,40})/i.exec(contentType)?.[1] ?? declaredEncoding(bytes);
  const decoded = named === undefined ? undefined : tryDecode(bytes, named);
  return decoded ?? tryDecode(bytes, "utf-8") ?? new TextDecoder("windows-1252").decode(bytes);
}

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 2048));
  return /<meta[^>]{0,200}\bcharset\s*=\s*["']?\s*([\w:-]{1,40})/i.exec(head)?.[1];
}

/** Nothing when the bytes are invalid in the encoding or it is unknown. */
function tryDecode(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
