import { templated } from "@weft/engine/template";
import { errorPort } from "@weft/schema";
import { z } from "zod";

/** Port taken if nothing else fits. */
export const elsePort = "else";

/** Id of a port named by the flow's author. Edges leave from it, so it stays when its title changes. */
export const portId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,100}$/, "must be 1 to 100 letters, digits, _ or -")
  .refine((id) => id !== errorPort && id !== elsePort, `is the id of a port that is always there`)
  .meta({ title: "Id", help: "Edges start from this port.", widget: "port-id" });

const operand = z
  .union([z.string().max(200_000), z.number(), z.boolean()])
  .default("")
  .meta({ title: "Value", ...templated });

const operation = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names).meta({ title: "Operation", labels: operationLabels });

const operationLabels = {
  equal: "is",
  "not-equal": "is not",
  contains: "contains",
  "not-contains": "does not contain",
  "starts-with": "starts with",
  "ends-with": "ends with",
  matches: "matches the pattern",
  "is-empty": "is empty",
  "is-not-empty": "is not empty",
  smaller: "<",
  "smaller-or-equal": "≤",
  larger: ">",
  "larger-or-equal": "≥",
};

const emptiness = ["is-empty", "is-not-empty"] as const;
const containment = ["contains", "not-contains"] as const;

const container = <Type extends "array" | "object">(type: Type, title: string) =>
  z
    .strictObject({
      type: z.literal(type),
      left: operand,
      operation: operation([...containment, ...emptiness]).default("contains"),
      right: operand,
    })
    .meta({ title });

/** A comparison, by the type both sides are read as. No second side if only emptiness is tested. */
const condition = z.discriminatedUnion("type", [
  z
    .strictObject({
      type: z.literal("string"),
      left: operand,
      operation: operation([
        "equal",
        "not-equal",
        ...containment,
        "starts-with",
        "ends-with",
        "matches",
        ...emptiness,
      ]).default("equal"),
      right: operand,
    })
    .meta({ title: "Text" }),
  z
    .strictObject({
      type: z.literal("number"),
      left: operand,
      operation: operation([
        "equal",
        "not-equal",
        "smaller",
        "smaller-or-equal",
        "larger",
        "larger-or-equal",
        ...emptiness,
      ]).default("equal"),
      right: operand,
    })
    .meta({ title: "Number" }),
  z
    .strictObject({
      type: z.literal("boolean"),
      left: operand,
      operation: operation(["equal", "not-equal"]).default("equal"),
      right: operand,
    })
    .meta({ title: "Yes or no" }),
  container("array", "List"),
  container("object", "Object"),
]);
export type Condition = z.infer<typeof condition>;

const branch = z.strictObject({
  id: portId,
  title: z.string().max(500).default("").meta({ title: "Title" }),
  match: z
    .enum(["all", "any"])
    .default("all")
    .meta({
      title: "Holds when",
      labels: { all: "All conditions hold", any: "Any condition holds" },
    }),
  conditions: z.array(condition).min(1).max(50).meta({ title: "Conditions", widget: "conditions", item: "condition" }),
});
export type Branch = z.infer<typeof branch>;

export const branches = z
  .array(branch)
  .max(50)
  .default([])
  .refine(
    (list) => new Set(list.map(({ id }) => id)).size === list.length,
    "has two branches with the same id. Give each a unique id",
  )
  .meta({
    title: "Branches",
    help: "The first branch that matches is taken; if none does, else.",
    widget: "rows",
    item: "branch",
  });
