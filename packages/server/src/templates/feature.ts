import { readFile } from "node:fs/promises";
import { defineRoute, type Route } from "@weft/http";
import { type FlowDocument, flowDocumentSchema, flowGraphSchema, toFlowGraph, WeftError } from "@weft/schema";
import { z } from "zod";
import { defineFeature } from "../feature.ts";

export const templates = defineFeature({ name: "templates", routes: templateRoutes });

const tag = "Catalogue";

/** Templates for new agents. */
function templateRoutes(): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/templates",
      operationId: "listTemplates",
      summary: "List the templates for new agents, without their flows",
      tag,
      permission: "agents:read",
      agent: "reach",
      returns: { schema: z.array(templateSummarySchema) },
      errors: [],
      handle: () => listTemplates(),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/templates/{id}",
      operationId: "getTemplate",
      summary: "Get a template with its flow",
      tag,
      permission: "agents:read",
      agent: "reach",
      params: z.object({ id: z.string().max(100) }),
      returns: { schema: templateSchema },
      errors: [404],
      handle: ({ params: { id } }) => getTemplate(id),
    }),
  ];
}

const folder = new URL("../../../../templates/", import.meta.url);

const needSchema = z.object({
  kind: z.enum(["model", "service", "document-store", "credential", "agent"]).meta({
    description: "`service`: an HTTP service whose address the flow reads from a variable",
  }),
  name: z.string().meta({ description: "What stands for it in the flow: the variable of a service, else an id" }),
  title: z.string(),
  example: z.string().optional().meta({ description: "An address as the service may have it" }),
});

const entrySchema = z.object({
  id: z.string(),
  category: z.enum(["support", "research", "data", "content", "operations"]),
  title: z.string(),
  summary: z.string(),
  needs: z.array(needSchema).meta({ description: "What to fill in; what is not becomes a finding of the agent" }),
  starters: z.array(z.string()).default([]).meta({ description: "Messages to begin with" }),
});
type Entry = z.infer<typeof entrySchema>;

const templateSummarySchema = entrySchema.extend({ graph: flowGraphSchema }).meta({ id: "TemplateSummary" });
type TemplateSummary = z.infer<typeof templateSummarySchema>;

const templateSchema = templateSummarySchema
  .extend({ flowData: z.string().meta({ description: "The flow, as an agent's `flowData`" }) })
  .meta({ id: "Template" });
type Template = z.infer<typeof templateSchema>;

/** All templates, in the order of their categories. Read from their files each time and not kept in memory. */
async function listTemplates(): Promise<TemplateSummary[]> {
  const read = async (entry: Entry) => ({ ...entry, graph: toFlowGraph(await readFlow(entry)) });
  return Promise.all((await readEntries()).map(read));
}

/** Rejects with `not-found`. */
async function getTemplate(id: string): Promise<Template> {
  const entry = (await readEntries()).find((candidate) => candidate.id === id);
  if (!entry) throw new WeftError("not-found", { params: { resource: "template", id } });
  const flow = await readFlow(entry);
  return { ...entry, graph: toFlowGraph(flow), flowData: JSON.stringify(flow) };
}

async function readEntries(): Promise<Entry[]> {
  return z.array(entrySchema).parse(JSON.parse(await readFile(new URL("templates.json", folder), "utf8")));
}

async function readFlow({ category, id }: Entry): Promise<FlowDocument> {
  return flowDocumentSchema.parse(JSON.parse(await readFile(new URL(`${category}/${id}.flow.json`, folder), "utf8")));
}
