import { z } from "zod";
import { findingSchema } from "../finding.ts";
import { flowDocumentSchema } from "../flow.ts";
import { jsonObjectTextSchema } from "./field.ts";

/** What a text is read as. `unknown` and `classic` have no native form; a `workspace` holds several flows. */
export const flowDialectSchema = z.enum(["native", "agentflow-v2", "classic", "workspace", "unknown"]);
export type FlowDialect = z.infer<typeof flowDialectSchema>;

const flowEntrySchema = z.object({ name: z.string(), flowData: z.string().meta({ description: "JSON text" }) });

const flowText =
  '{"weft":1,"nodes":[{"id":"start_0","type":"start"},{"id":"llm_0","type":"llm","label":"LLM"}],"edges":[{"id":"e","source":"start_0","target":"llm_0"}]}';

/** Body of a reading: the text of a flow as it is stored, or of a file as it was exported. */
export const flowReadingRequestSchema = z
  .object({ flowData: jsonObjectTextSchema })
  .meta({ id: "FlowReadingRequest", examples: [{ flowData: flowText }] });

/** A flow in the native format, whatever it was written in, with what is wrong or worth knowing about it. */
export const flowReadingSchema = z
  .object({
    dialect: flowDialectSchema,
    flow: flowDocumentSchema.meta({ description: "Has no nodes if it cannot be converted" }),
    findings: z.array(findingSchema),
    flows: z.array(flowEntrySchema).meta({ description: "The flows of a workspace; read each one separately" }),
  })
  .meta({ id: "FlowReading" });
export type FlowReading = z.infer<typeof flowReadingSchema>;
