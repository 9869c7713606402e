import type { FailureFormat } from "@weft/http";
import type { ErrorCode, WeftError } from "@weft/schema";
import { z } from "zod";

const failureSchema = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      /** Path of the field that is wrong. */
      param: z.string().nullable(),
      code: z.string(),
    }),
  })
  .meta({ id: "OpenAiError" });

/** Codes that clients of OpenAI's API know. Every other one is the platform's own. */
const knownCodes: Partial<Record<ErrorCode, string>> = {
  unauthenticated: "invalid_api_key",
  "api-key-wrong": "invalid_api_key",
  "not-found": "model_not_found",
  "rate-limited": "rate_limit_exceeded",
};

/** Failures as OpenAI's API answers them. */
export const openAiFailure: FailureFormat = {
  schema: failureSchema,
  toBody: (error, status): z.input<typeof failureSchema> => ({
    error: {
      message: error.message,
      type: toType(status),
      param: toParam(error),
      code: knownCodes[error.code] ?? error.code,
    },
  }),
};

function toType(status: number): string {
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

function toParam({ code, errors }: WeftError): string | null {
  if (code === "not-found") return "model";
  return errors[0]?.path || null;
}
