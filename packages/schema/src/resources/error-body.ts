import { z } from "zod";

/** Body of every error answer: the members of RFC 9457 and those that existing clients read (`message`, `statusCode`). */
export const errorBodySchema = z
  .object({
    statusCode: z.number().int(),
    success: z.literal(false),
    message: z.string().meta({ description: "What went wrong and what to do about it" }),
    code: z.string().meta({ description: "Stable identifier of the error" }),
    type: z.string().meta({ description: "The code as a URI" }),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    instance: z.string().meta({ description: "Path of the request" }),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).meta({
      description: "Each validation error, with the dotted path of the field",
    }),
    requestId: z.string(),
    retryable: z.boolean().optional().meta({ description: "Whether the same request may succeed if sent again later" }),
    upstream: z
      .object({ status: z.number().int(), retryAfterSeconds: z.number().optional() })
      .optional()
      .meta({ description: "Response of the external service that caused the error, if any" }),
    executionId: z.string().optional().meta({ description: "The accepted run that failed" }),
    events: z.string().optional().meta({ description: "Path of the run's event stream" }),
  })
  .meta({ id: "Error" });
export type ErrorBody = z.infer<typeof errorBodySchema>;
