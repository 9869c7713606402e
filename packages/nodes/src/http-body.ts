import type { NodeContext } from "@weft/engine/node";
import type { Json } from "@weft/schema";

export const bodyTypes = ["none", "json", "raw", "form-data", "x-www-form-urlencoded"] as const;
export type BodyConfig = {
  method: string;
  /** Absent: JSON if there is a body, otherwise none. */
  bodyType?: (typeof bodyTypes)[number] | undefined;
  body: string;
};

export type EncodedBody = {
  body?: string | Uint8Array;
  headers: Record<string, string>;
  /** The body as the trace shows it. */
  shown: Json;
};

/** The part of a node's context that encodes a body. */
export type BodyContext = Pick<NodeContext, "render" | "renderText"> & { readonly run: { readonly runId: string } };

/** Encodes the body so that a value from a template stays a value. GET and HEAD have none. */
export function encodeBody(context: BodyContext, config: BodyConfig, form: [string, string][]): EncodedBody {
  if (config.method === "GET" || config.method === "HEAD") return { headers: {}, shown: null };
  switch (config.bodyType ?? "json") {
    case "none":
      return { headers: {}, shown: null };
    case "json": {
      if (config.body.trim() === "") return { headers: {}, shown: null };
      const value = context.render(config.body, "json");
      return { body: JSON.stringify(value), headers: { "content-type": "application/json" }, shown: value };
    }
    case "raw": {
      const text = context.renderText(config.body);
      return { body: text, headers: { "content-type": "text/plain; charset=utf-8" }, shown: text };
    }
    case "x-www-form-urlencoded": {
      const body = new URLSearchParams(form).toString();
      return {
        body,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        shown: Object.fromEntries(form),
      };
    }
    case "form-data":
      return encodeMultipart(context, form);
  }
}

/** RFC 7578. The boundary cannot occur in a value: it is lengthened until it does not. */
function encodeMultipart(context: BodyContext, form: readonly (readonly [string, string])[]): EncodedBody {
  let boundary = `weft-${context.run.runId}`;
  while (form.some(([, value]) => value.includes(boundary))) boundary += "-";
  const parts = form.map(
    ([key, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(key)}"\r\n\r\n${value}\r\n`,
  );
  return {
    body: `${parts.join("")}--${boundary}--\r\n`,
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    shown: Object.fromEntries(form),
  };
}

/** Escapes names in multipart bodies per the HTML standard. */
function escapeName(name: string): string {
  return name.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");
}
