import type { WireFormat } from "./wire-format.ts";

/** The form of `POST /v1/audio/transcriptions`. */
export type TranscriptionRequest = { form(): Promise<FormData> };

/** OpenAI's transcriptions. A step's `text` is what was said. */
export const speechFormat: WireFormat<TranscriptionRequest> = {
  basePath: "/v1",
  isAnswerPath: (path) => path === "/audio/transcriptions",
  parse(body, headers) {
    const type = headers["content-type"] ?? "";
    if (!type.startsWith("multipart/form-data")) return undefined;
    return { form: () => new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData() };
  },
  wantsStream: () => false,
  render: ({ text = "" }) => ({ text }),
  renderStream: ({ text = "" }) => ({ events: [text], end: [] }),
  streamType: "text/plain",
  toError: (message) => ({ error: { message, type: "invalid_request_error", param: null, code: null } }),
};
