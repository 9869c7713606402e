import { WeftError } from "@weft/schema";

/** Rejects text that is no absolute URL with `egress-failed`. The text itself is not told: it may hold a key. */
export function parseUrl(text: string): URL {
  const url = URL.parse(text);
  if (url !== null) return url;
  throw new WeftError("egress-failed", {
    params: { url: "The address", reason: "it is not an absolute http or https URL" },
    retryable: false,
  });
}
