/**
 * Normalises a base URL for comparing and calling: without surrounding space, a trailing slash or the
 * `/chat/completions` that people copy along. Text that is not a URL stays as it is; see `isHttpAddress`.
 */
export function normaliseBaseUrl(text: string): string {
  const trimmed = text
    .trim()
    .replace(/(?<!\/)\/+$/, "")
    .replace(/\/chat\/completions$/, "");
  return URL.canParse(trimmed) ? new URL(trimmed).href.replace(/(?<!\/)\/+$/, "") : trimmed;
}

/**
 * Whether `fetch` can call it and paths can be appended: http(s), no user name or password (RFC 9110, 4.2.4), and no
 * query or fragment, which would swallow the path.
 */
export function isHttpAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return (
    (protocol === "http:" || protocol === "https:") && [username, password, search, hash].every((part) => part === "")
  );
}
