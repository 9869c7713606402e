import { createEgressClient } from "@weft/egress";
import type { ModelHttp } from "../define-provider.ts";

/** The egress client, for the server at an address alone. */
export function httpTo(url: string): ModelHttp {
  return createEgressClient({ allow: [new URL(url).host] });
}

/** What a network would do: both forms by one `fetch`. */
export function httpOver(fetch: typeof globalThis.fetch): ModelHttp {
  return {
    fetch,
    reveal: (key) => key,
    async exchange({ url, ...request }) {
      const response = await fetch(url, request);
      const { status, statusText, headers, body } = response;
      return {
        status,
        statusText,
        headers: Object.fromEntries(headers),
        async text(count) {
          const pieces: Uint8Array[] = [];
          for await (const piece of body ?? []) {
            count?.(piece);
            pieces.push(piece);
          }
          return new TextDecoder().decode(Buffer.concat(pieces));
        },
        async read(take) {
          for await (const piece of body ?? []) take(piece);
        },
      };
    },
  };
}
