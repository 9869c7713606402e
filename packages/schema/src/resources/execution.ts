import { z } from "zod";
import { runErrorSchema, usageSchema } from "../run-event.ts";
import { warningSchema } from "./prediction.ts";

/** A run, as the API shows it. */
export const executionSchema = z
  .object({
    id: z.string(),
    agentflowId: z.string(),
    agentVersionId: z.string(),
    chatId: z.string(),
    sessionId: z.string(),
    state: z.enum(["INPROGRESS", "FINISHED", "ERROR", "TERMINATED", "STOPPED"]),
    executionData: z.string().meta({ description: "JSON text: the executed steps, in order." }),
    text: z.string().nullable(),
    error: runErrorSchema.nullable(),
    usage: usageSchema,
    warnings: z.array(warningSchema),
    createdDate: z.string(),
    updatedDate: z.string(),
    stoppedDate: z.string().nullable(),
  })
  .meta({ id: "Execution" });
export type Execution = z.infer<typeof executionSchema>;
