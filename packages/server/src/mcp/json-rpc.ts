import type { FailureFormat } from "@weft/http";
import { type JsonObject, jsonObjectSchema, jsonSchema, type WeftError } from "@weft/schema";
import { z } from "zod";

const idSchema = z.union([z.string().max(200), z.number().int()]);

/** What a client of MCP sends: a request, or without an id a notification. Source: JSON-RPC 2.0. */
export const mcpMessageSchema = z
  .object({
    jsonrpc: z.literal("2.0"),
    id: idSchema.optional(),
    method: z.string().min(1).max(200),
    params: jsonObjectSchema.optional(),
  })
  .meta({ id: "McpMessage", examples: [{ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }] });
export type McpMessage = z.infer<typeof mcpMessageSchema>;
export type McpId = z.infer<typeof idSchema>;

const errorSchema = z.object({ code: z.number().int(), message: z.string(), data: jsonSchema.optional() });
export type McpError = z.infer<typeof errorSchema>;

/** One of `result` and `error`. */
export const mcpAnswerSchema = z
  .object({
    jsonrpc: z.literal("2.0"),
    id: idSchema.optional(),
    result: jsonObjectSchema.optional(),
    error: errorSchema.optional(),
  })
  .meta({ id: "McpAnswer", examples: [{ jsonrpc: "2.0", id: 1, result: { tools: [] } }] });
export type McpAnswer = z.infer<typeof mcpAnswerSchema>;

/** Codes of JSON-RPC 2.0 (section 5.1) and of MCP 2026-07-28 ("Error Codes"). */
export const rpcCodes = {
  unparsable: -32_700,
  invalidRequest: -32_600,
  unknownMethod: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  headerMismatch: -32_020,
  unsupportedVersion: -32_022,
} as const;

/** Failures before a message is understood. Codes outside of the reserved range are the HTTP status. */
export const mcpFailure: FailureFormat = {
  schema: mcpAnswerSchema,
  toBody: (error, status): McpAnswer => ({ jsonrpc: "2.0", error: toMcpError(error, status) }),
};

function toMcpError(error: WeftError, status: number): McpError {
  const data: JsonObject = { code: error.code };
  return { code: rpcCodeOf(error, status), message: error.message, data };
}

function rpcCodeOf({ code }: WeftError, status: number): number {
  if (code === "body-unparsable") return rpcCodes.unparsable;
  if (status === 500) return rpcCodes.internal;
  return status === 400 ? rpcCodes.invalidRequest : status;
}
