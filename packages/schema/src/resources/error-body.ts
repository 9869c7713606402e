import { z } from "zod";

/** Body of every error answer: the members of RFC 9457 and those that existing clients read (`message`, `statusCode`). */
export const errorBodySchema = z
  .object({
    statusCode: z.number().int(),
    success: z.literal(false),
    message: z.string().meta({ description: "What went wrong and what to do" }),
    code: z.string().meta({ description: "A stable name of the error" }),
    type: z.string().meta({ description: "The code as a URI" }),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    instance: z.string().meta({ description: "Path of the request" }),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).meta({
      description: "Each mistake of a request with the dotted path to it",
    }),
    requestId: z.string(),
    retryable: z.boolean().optional().meta({ description: "Whether the same request may succeed later" }),
    upstream: z
      .object({ status: z.number().int(), retryAfterSeconds: z.number().optional() })
      .optional()
      .meta({ description: "What an outside service answered, when it was the cause" }),
    executionId: z.string().optional().meta({ description: "The run that was accepted, and whose failure this is" }),
    events: z.string().optional().meta({ description: "Where the events of that run are" }),
  })
  .meta({ id: "Error" });
export type ErrorBody = z.infer<typeof errorBodySchema>;
