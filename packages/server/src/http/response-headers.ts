/** Headers of every answer. Browsers must not guess types, and caches keep nothing unless told otherwise. */
export function responseHeaders(requestId: string, cacheControl: string): Record<string, string> {
  return {
    "X-Request-Id": requestId,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": cacheControl,
  };
}
