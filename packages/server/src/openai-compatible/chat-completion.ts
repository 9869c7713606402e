import type { FailureFormat } from "@weft/http";
import type { ErrorCode, WeftError } from "@weft/schema";
import { z } from "zod";

const failureSchema = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      /** Path of the invalid field. */
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

/** Failures in the format of OpenAI's API. */
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

const contentPartSchema = z.object({
  type: z.string().max(100),
  text: z.string().optional(),
  image_url: z.object({ url: z.string().meta({ description: "A base64 data URL or an http(s) address." }) }).optional(),
});
export type ContentPart = z.infer<typeof contentPartSchema>;

const messageSchema = z.object({
  role: z.enum(["system", "developer", "user", "assistant", "tool", "function"]),
  content: z.union([z.string(), z.array(contentPartSchema).max(1_000)]).nullish(),
});
export type ChatMessage = z.infer<typeof messageSchema>;

const temperature = z.number().min(0).max(2);
const topP = z.number().min(0).max(1);
const tokens = z.number().int().min(1).max(1_000_000);

/** Body of a chat completion. Fields without a meaning here, such as `tools`, are ignored. */
export const chatCompletionRequestSchema = z
  .object({
    model: z.string().min(1).max(200).meta({ description: "Id of an agent, or its name as listed by `/v1/models`." }),
    messages: z.array(messageSchema).min(1).max(10_000),
    stream: z.boolean().nullish(),
    stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
    temperature: temperature.nullish(),
    top_p: topP.nullish(),
    max_tokens: tokens.nullish(),
    max_completion_tokens: tokens.nullish(),
    n: z.literal(1, "an agent gives one answer").nullish(),
  })
  .meta({
    id: "ChatCompletionRequest",
    examples: [{ model: "support", messages: [{ role: "user", content: "Where is my order?" }] }],
  });
export type ChatCompletionRequest = z.infer<typeof chatCompletionRequestSchema>;

const usageSchema = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  total_tokens: z.number(),
});

export const chatCompletionSchema = z
  .object({
    id: z.string(),
    object: z.literal("chat.completion"),
    created: z.number().meta({ description: "Seconds since the epoch." }),
    model: z.string(),
    choices: z.array(
      z.object({
        index: z.number(),
        message: z.object({ role: z.literal("assistant"), content: z.string(), refusal: z.null() }),
        logprobs: z.null(),
        finish_reason: z.literal("stop"),
      }),
    ),
    usage: usageSchema,
  })
  .meta({
    id: "ChatCompletion",
    examples: [
      {
        id: "chatcmpl-5a0e7c1b-2f4d-4c6a-8b9e-7d6f5a4b3c2d",
        object: "chat.completion",
        created: 1_738_324_800,
        model: "support",
        choices: [
          {
            index: 0,
            message: { role: "assistant", content: "It arrives on Monday.", refusal: null },
            logprobs: null,
            finish_reason: "stop",
          },
        ],
        usage: { prompt_tokens: 18, completion_tokens: 7, total_tokens: 25 },
      },
    ],
  });
export type ChatCompletion = z.input<typeof chatCompletionSchema>;

/** Common to a completion and all its chunks. `created` is in seconds since the epoch. */
export type CompletionFacts = Pick<ChatCompletion, "id" | "created" | "model">;

/** An agent, as a model. */
export const servedModelSchema = z
  .object({
    id: z.string(),
    object: z.literal("model"),
    created: z.number().meta({ description: "Seconds since the epoch." }),
    owned_by: z.string(),
  })
  .meta({
    id: "ServedModel",
    examples: [{ id: "support", object: "model", created: 1_738_324_800, owned_by: "weft" }],
  });
export type ServedModel = z.infer<typeof servedModelSchema>;

export const servedModelListSchema = z
  .object({ object: z.literal("list"), data: z.array(servedModelSchema) })
  .meta({ id: "ServedModelList" });
