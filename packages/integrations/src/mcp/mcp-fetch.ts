import { WeftError } from "@weft/schema";

/** The egress client's `fetch`: every request and redirect of a connection goes through it. */
export type Fetch = typeof globalThis.fetch;

/** Decompressed bytes that one answer may have. */
const maxAnswerBytes = 10 * 1024 * 1024;

/**
 * `fetch` for a connection that lasts one call: answers are bounded, and the stream in which a server of the older
 * revision speaks unasked is not opened. One that is resumed after a break is.
 */
export function createMcpFetch(fetch: Fetch): Fetch {
  return async (input, init) => {
    const isUnasked = init?.method === "GET" && !new Headers(init.headers).has("last-event-id");
    if (isUnasked) return new Response(null, { status: 405 });
    const answer = await fetch(input, init);
    if (answer.body === null) return answer;
    const { status, statusText, headers } = answer;
    return new Response(answer.body.pipeThrough(createLimit(new URL(String(input)))), { status, statusText, headers });
  };
}

function createLimit({ origin }: URL): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes <= maxAnswerBytes) controller.enqueue(chunk);
      else controller.error(new WeftError("egress-too-large", { params: { url: origin, limit: maxAnswerBytes } }));
    },
  });
}
