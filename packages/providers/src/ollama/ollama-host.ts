const ollamaPort = "11434";

/** Default address of an Ollama server. */
export const defaultOllamaUrl = `http://127.0.0.1:${ollamaPort}`;

/**
 * Parses `OLLAMA_HOST` as Ollama does: a host, `host:port` or an http(s) address. Port 11434 unless given, with a
 * scheme the scheme's own. A server's "all interfaces" (0.0.0.0) is reached at 127.0.0.1. Undefined if invalid.
 */
export function parseOllamaHost(text: string): string | undefined {
  const hasScheme = /^https?:\/\//i.test(text);
  if (!hasScheme && text.includes("/")) return undefined;
  const address = hasScheme ? text : `http://${text}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.hostname === "" || url.username !== "" || url.password !== "") return undefined;
  if (!hasScheme && !/:\d+$/.test(text)) url.port = ollamaPort;
  if (url.hostname === "0.0.0.0" || url.hostname === "[::]") url.hostname = "127.0.0.1";
  return url.href.replace(/(?<!\/)\/+$/, "");
}
