import { z } from "zod";
import type { Json } from "./json.ts";

/** An output port. Edges refer to the id; people read the title. */
export type PortDefinition = { id: string; title: string };

const conditionSchema = z.strictObject({ field: z.string(), is: z.array(z.string()) });

const fixedPortSchema = z.strictObject({
  id: z.string(),
  title: z.string().meta({ description: "Shown unless the field named by `titleField` has a value" }),
  titleField: z.string().optional().meta({ description: "Config field that holds the title" }),
  onlyWith: z.string().optional().meta({ description: "Config field that must be set for the port to exist" }),
  onlyWhen: conditionSchema
    .optional()
    .meta({ description: "Config field that must have one of these values for the port to exist" }),
});

const listedPortsSchema = z.strictObject({
  each: z.string().meta({ description: "Config field with a list; each entry gets a port named after its `id`" }),
  titleField: z.string().optional().meta({ description: "Field of an entry that holds the title" }),
  title: z.string().meta({ description: "Shown if the entry has no title; {n} counts from 1, {id} is the entry's id" }),
});

/**
 * Declares a node's output ports as data: the engine checks edges with it, and the builder draws ports from it while a
 * config is edited.
 */
export const portRuleSchema = z.union([fixedPortSchema, listedPortsSchema]).meta({ id: "PortRule" });
export type PortRule = z.infer<typeof portRuleSchema>;

const longestTitle = 100;

/** A node's output ports, in order, besides its error port. A half-written config yields the ports it has so far. */
export function portsOf(rules: readonly PortRule[], config: Readonly<Record<string, unknown>>): PortDefinition[] {
  return rules.flatMap((rule) => ("each" in rule ? listedPorts(rule, config[rule.each]) : fixedPort(rule, config)));
}

function fixedPort({ id, title, titleField, onlyWith, onlyWhen }: z.infer<typeof fixedPortSchema>, config: object) {
  const fields: Record<string, unknown> = { ...config };
  if (onlyWith !== undefined && !fields[onlyWith]) return [];
  if (onlyWhen !== undefined && !onlyWhen.is.some((value) => value === fields[onlyWhen.field])) return [];
  return [{ id, title: titleIn(fields, titleField) || title }];
}

function listedPorts(rule: z.infer<typeof listedPortsSchema>, list: unknown): PortDefinition[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: Json, index) => {
    const fields: Record<string, unknown> = typeof entry === "object" && entry !== null ? { ...entry } : { id: entry };
    if (typeof fields.id !== "string" || fields.id === "") return [];
    const fallback = rule.title.replace("{n}", String(index + 1)).replace("{id}", () => String(fields.id));
    return [{ id: fields.id, title: titleIn(fields, rule.titleField) || fallback }];
  });
}

function titleIn(fields: Record<string, unknown>, name: string | undefined): string {
  const title = name === undefined ? undefined : fields[name];
  return typeof title === "string" ? title.slice(0, longestTitle) : "";
}
