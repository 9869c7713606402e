import type { ToolContext, ToolResult } from "@weft/engine";
import type { Json, JsonObject } from "@weft/schema";
import { cutText } from "../answer-text.ts";
import type { CallPolicy } from "../call-http.ts";
import type { OperationCall } from "./build-operation-call.ts";

/**
 * Lets the author's code make the call and say what the model reads. It sees `$url`, `$options` (method, headers,
 * body, as `fetch` takes them), `$PathParameters`, `$QueryParameters`, `$RequestBody`, `$vars` and `$flow`, and a `fetch`
 * that goes through the platform's client. A result that is no text is given to the model as JSON.
 */
export async function runCustomCode(
  code: string,
  call: OperationCall,
  policy: CallPolicy,
  context: ToolContext,
): Promise<ToolResult> {
  const started = performance.now();
  const result = await context.sandbox.run({
    code,
    globals: toGlobals(call, policy, context),
    http: context.http,
    timeoutMs: policy.timeoutMs,
    signal: context.signal,
  });
  const durationMs = Math.round(performance.now() - started);
  const details = { method: call.method, url: call.shownUrl, durationMs };
  if (!result.ok) {
    const content = `The tool's custom code failed: ${result.error.name}: ${result.error.message}`;
    return { content, isError: true, details };
  }
  return { content: cutText(toText(result.value), policy.maxCharacters), details };
}

function toGlobals(call: OperationCall, policy: CallPolicy, context: ToolContext): JsonObject {
  const extra: Record<string, string> =
    policy.kind === "idempotent" ? { "idempotency-key": context.idempotencyKey } : {};
  const body = typeof call.body === "string" ? call.body : new TextDecoder().decode(call.body);
  return {
    $url: call.url,
    $options: {
      method: call.method,
      headers: { ...call.headers, ...extra },
      ...(call.body === undefined ? {} : { body }),
    },
    $PathParameters: call.pathParameters,
    $QueryParameters: call.queryParameters,
    $RequestBody: call.requestBody ?? null,
    $vars: context.vars,
    $flow: context.flow,
  };
}

function toText(value: Json): string {
  if (value === null) return "The custom code returned nothing.";
  return typeof value === "string" ? value : JSON.stringify(value);
}
