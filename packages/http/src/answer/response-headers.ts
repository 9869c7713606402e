/**
 * Headers of every answer. Browsers must not guess types, caches keep nothing unless told otherwise, and which page may
 * read an answer depends on its origin.
 */
export function responseHeaders(requestId: string, cacheControl: string): Record<string, string> {
  return {
    "X-Request-Id": requestId,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": cacheControl,
    Vary: "Origin",
  };
}
