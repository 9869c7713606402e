import { z } from "zod";
import { jsonSchema } from "./json.ts";

/** A problem or a hint about a stored flow. An `error` stops a run; a `warning` does not. */
export const findingSchema = z.object({
  level: z.enum(["error", "warning"]),
  code: z.string(),
  nodeId: z.string().nullable(),
  /** A dotted path into the node's config, if one field is meant. */
  path: z.string().optional(),
  message: z.string(),
  /** A one-step fix, with `POST /credentials/{credential}/destinations`: `name` is the credential's. */
  bind: z.object({ credential: z.string(), name: z.string(), host: z.string(), destination: z.string() }).optional(),
  /** A one-step fix: the value to set at this path of the node's config. */
  fix: z.object({ title: z.string(), path: z.string(), value: jsonSchema }).optional(),
});
export type Finding = z.infer<typeof findingSchema>;
