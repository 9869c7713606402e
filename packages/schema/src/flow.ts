import { z } from "zod";
import { jsonObjectSchema, jsonSchema } from "./json.ts";

const pointSchema = z.object({ x: z.number(), y: z.number() });

/**
 * Something that an import could not carry over to a step. It stops every run until it is resolved: removed from the
 * step, or, if `path` names the setting that fixes it, until that setting differs from `value`, its value at import.
 */
export const refusalSchema = z.object({
  code: z.string().min(1).max(100),
  message: z.string().min(1).max(4_000),
  path: z.string().max(1_000).optional(),
  value: jsonSchema.optional(),
});
export type Refusal = z.infer<typeof refusalSchema>;

/** Most refusals of one step. */
export const maxRefusals = 100;

/** One step of a native flow. `config` is exactly the config schema of its node type. */
export const flowNodeSchema = z.object({
  /** Letters, digits, `_` and `-`: ids are part of template references and of journal keys. */
  id: z.string().regex(/^[A-Za-z0-9_-]{1,200}$/),
  type: z.string().min(1).max(100),
  version: z.number().int().positive().default(1),
  label: z.string().max(500).default(""),
  position: pointSchema.default({ x: 0, y: 0 }),
  /** Id of the node whose sub-flow this node belongs to (an iteration). */
  parent: z.string().optional(),
  /** Size in pixels, if someone chose one (a note). */
  size: z.object({ width: z.number().positive(), height: z.number().positive() }).optional(),
  config: jsonObjectSchema.default({}),
  refused: z
    .array(refusalSchema)
    .max(maxRefusals)
    .optional()
    .meta({ description: "What an import could not carry over: it stops runs until it is removed here" }),
});
export type FlowNode = z.infer<typeof flowNodeSchema>;

export const flowEdgeSchema = z.object({
  id: z.string().min(1).max(400),
  source: z.string(),
  /** The source's output port. `error` is the error port of any node. */
  sourcePort: z.string().default("out"),
  target: z.string(),
});
export type FlowEdge = z.infer<typeof flowEdgeSchema>;

/** Native flow document, version 1: what the builder writes into an agent's `flowData`. */
export const flowDocumentSchema = z.object({
  weft: z.literal(1),
  nodes: z.array(flowNodeSchema).max(2_000),
  edges: z.array(flowEdgeSchema).max(10_000),
  viewport: z.object({ x: z.number(), y: z.number(), zoom: z.number() }).optional(),
});
export type FlowDocument = z.infer<typeof flowDocumentSchema>;

/** The immutable graph that the engine runs, whatever dialect it was stored in. */
export type Flow = { readonly nodes: readonly FlowNode[]; readonly edges: readonly FlowEdge[] };

/** Port taken by a failed node, if an edge leaves from it. */
export const errorPort = "error";
/** Port taken by a node that does not branch. */
export const defaultPort = "out";
