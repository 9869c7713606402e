import { z } from "zod";

/** Kinds of things whose uses can be queried. */
export const usableKindSchema = z.enum(["credential", "agent", "document-store", "tool", "variable"]);
export type UsableKind = z.infer<typeof usableKindSchema>;

/** A place that refers to a thing: an agent's step, an assistant, a document store, or the default model. */
export const useSchema = z
  .object({
    resource: z.enum(["agent", "assistant", "document-store", "default-model"]),
    id: z.string().meta({ description: "Of the resource; empty for the default model" }),
    name: z.string(),
    nodeId: z.string().nullable().meta({ description: "Of the step that names it; null outside flows" }),
    step: z.string().nullable().meta({ description: "What the step is called" }),
    path: z.string().meta({ description: "Where in the settings it is named, dotted" }),
    isDraft: z.boolean().meta({ description: "Whether the draft of the agent alone names it" }),
  })
  .meta({
    id: "Use",
    examples: [
      {
        resource: "agent",
        id: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
        name: "Support",
        nodeId: "http_0",
        step: "Refund",
        path: "credential",
        isDraft: false,
      },
    ],
  });
export type Use = z.infer<typeof useSchema>;
