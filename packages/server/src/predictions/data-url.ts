/** What a data URL in base64 holds; undefined when the text is none. Source: RFC 2397. */
export function parseDataUrl(text: string): { mimeType: string; bytes: Uint8Array } | undefined {
  const comma = text.slice(0, longestHeader).indexOf(",");
  const header = /^data:([^;,]*)(?:;[^;,]*)*;base64$/i.exec(text.slice(0, Math.max(comma, 0)));
  const payload = text.slice(comma + 1);
  if (header === null || payload.length % 4 === 1 || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(payload)) return undefined;
  return { mimeType: header[1] ?? "", bytes: Buffer.from(payload, "base64") };
}

const longestHeader = 500;

export function toDataUrl({ mimeType, bytes }: { mimeType: string; bytes: Uint8Array }): string {
  return `data:${mimeType};base64,${Buffer.from(bytes).toString("base64")}`;
}
