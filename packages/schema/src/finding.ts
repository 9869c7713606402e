import { z } from "zod";

/** What is wrong, or worth knowing, about a stored flow. An `error` stops a run; a `warning` does not. */
export const findingSchema = z.object({
  level: z.enum(["error", "warning"]),
  code: z.string(),
  nodeId: z.string().nullable(),
  /** A dotted path into the node's config, when one field is meant. */
  path: z.string().optional(),
  message: z.string(),
});
export type Finding = z.infer<typeof findingSchema>;
