import type { NodeRegistry } from "@weft/engine/node";
import type { ModelTool, ModelToolCall } from "@weft/engine/ports/chat-model";
import type { IntegrationRegistry } from "@weft/integrations";
import {
  type Finding,
  type FlowEdit,
  isDeeperThan,
  type JsonSchema,
  jsonObjectSchema,
  maxJsonDepth,
  parseJson,
} from "@weft/schema";
import { z } from "zod";
import { EditRefused, type FlowEdits } from "./flow-edits.ts";
import { describeComponent } from "./guide.ts";

/** What the installation has and a flow may name, by kind: the ids and names that the caller may see. */
export type Things = {
  [kind in ThingKind]: () => Promise<readonly { id: string; name: string; type?: string }[]>;
};

const thingKinds = ["agent", "credential", "document-store", "custom-tool", "variable", "mcp-server"] as const;
export type ThingKind = (typeof thingKinds)[number];

/** What the model said about its draft. */
export type Finish = { name: string; summary: string; open: readonly string[] };

export type DraftTools = {
  readonly offered: readonly ModelTool[];
  /** What the call answers. Never rejects for what a model wrote: it is told what to correct. */
  call(call: ModelToolCall): Promise<{ content: string; isError: boolean }>;
  /** What `finish` was called with; undefined until then. */
  finished(): Finish | undefined;
};

type Options = {
  edits: FlowEdits;
  nodeTypes: NodeRegistry;
  integrations: IntegrationRegistry;
  things: Things;
  check(): Promise<Finding[]>;
  onEdit(edit: FlowEdit): void;
};

/**
 * The only way in which a model touches a draft: typed edits of a flow in memory, and questions about what there is. None
 * of them stores, publishes, sends or runs anything.
 */
export function createDraftTools(options: Options): DraftTools {
  let finish: Finish | undefined;
  const tools = [...readingTools(options), ...editingTools(options), finishTool(options, (given) => (finish = given))];
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    offered: tools.map(({ name, description, input }) => ({ name, description, parameters: toModelSchema(input) })),
    finished: () => finish,
    async call({ name, arguments: text }) {
      const tool = byName.get(name);
      if (tool === undefined)
        return { content: `There is no tool ${JSON.stringify(name.slice(0, 100))}.`, isError: true };
      try {
        return { content: await tool.run(text), isError: false };
      } catch (cause) {
        if (!(cause instanceof EditRefused)) throw cause;
        return { content: cause.message, isError: true };
      }
    },
  };
}

type DraftTool = { name: string; description: string; input: z.ZodType; run(text: string): Promise<string> };

function defineTool<Input extends z.ZodType>(
  { name, description, input }: { name: string; description: string; input: Input },
  run: (given: z.output<Input>) => string | Promise<string>,
): DraftTool {
  return { name, description, input, run: async (text) => run(readInput(text, input)) };
}

function readInput<Input extends z.ZodType>(text: string, input: Input): z.output<Input> {
  const given = text.trim() === "" ? {} : parseJson(text);
  if (given === undefined || isDeeperThan(given, maxJsonDepth)) {
    throw new EditRefused("The arguments are no JSON, or too deep. Send them again.");
  }
  const { success, data, error } = input.safeParse(given);
  if (success) return data;
  const problems = error.issues.slice(0, 5).map(({ path, message }) => `${path.join(".") || "arguments"}: ${message}`);
  throw new EditRefused(`The arguments are wrong: ${problems.join("; ")}.`);
}

function toModelSchema(input: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: "input" });
  return schema as JsonSchema;
}

const step = z.string().max(200).describe("Id of a step");
const from = z.object({
  step,
  port: z
    .string()
    .max(200)
    .optional()
    .describe("Its port; may be left out where it has one. error: what to do when it fails"),
});
const kinds = z.array(z.string().max(100)).min(1).max(6);

function readingTools({ edits, nodeTypes, integrations, things, check }: Options): DraftTool[] {
  return [
    defineTool(
      {
        name: "describe_steps",
        description: "The settings of kinds of steps, as JSON Schema. Read them before you add such a step.",
        input: z.object({ kinds }),
      },
      ({ kinds: names }) => names.map((name) => describeComponent(nodeTypes, name)).join("\n\n"),
    ),
    defineTool(
      {
        name: "describe_tools",
        description: "The settings of kinds of tools that an agent step may have in its list of tools, as JSON Schema.",
        input: z.object({ kinds }),
      },
      ({ kinds: names }) => names.map((name) => describeComponent(integrations, name)).join("\n\n"),
    ),
    defineTool(
      {
        name: "list_things",
        description: "What the installation has: names and ids, which settings refer to. Secrets are never shown.",
        input: z.object({ kind: z.enum(thingKinds) }),
      },
      async ({ kind }) => {
        const found = await things[kind]();
        return found.length === 0
          ? `There is no ${kind}, or you may not see any.`
          : JSON.stringify(found.slice(0, 100));
      },
    ),
    defineTool(
      { name: "check", description: "Checks the draft as a run would, and lists what is wrong.", input: z.object({}) },
      async () => toReport(await check(), edits),
    ),
  ];
}

function editingTools({ edits, onEdit }: Options): DraftTool[] {
  const tell = (kind: FlowEdit["kind"], id: string, label = edits.labelOf(id)) => onEdit({ kind, step: id, label });
  return [
    defineTool(
      {
        name: "add_step",
        description: "Adds a step and answers with its id.",
        input: z.object({
          id: z
            .string()
            .max(40)
            .optional()
            .describe("Its id for templates: letters, digits and _. Default: made from the label"),
          type: z.string().max(100).describe("Kind of step"),
          label: z.string().max(200).describe("What people read on it: two or three words"),
          config: jsonObjectSchema.default({}).describe("Its settings"),
          after: from.optional().describe("The step that leads to it"),
          inside: step.optional().describe("The iteration that runs it for each item"),
        }),
      },
      (given) => {
        const id = edits.add(given);
        tell("added", id);
        return `Added. Its id is ${id}.`;
      },
    ),
    defineTool(
      {
        name: "set_fields",
        description:
          'Sets settings of a step: dotted paths with their values, as in {"messages.0.content": "…"}. null removes one.',
        input: z.object({ step, fields: jsonObjectSchema }),
      },
      ({ step: id, fields }) => {
        edits.set(id, fields);
        tell("changed", id);
        return "Set.";
      },
    ),
    defineTool(
      {
        name: "rename_step",
        description: "Renames a step. Its id stays.",
        input: z.object({ step, label: z.string().min(1).max(200) }),
      },
      ({ step: id, label }) => {
        edits.rename(id, label);
        tell("changed", id);
        return "Renamed.";
      },
    ),
    defineTool(
      { name: "remove_step", description: "Removes a step with its connections.", input: z.object({ step }) },
      ({ step: id }) => {
        const label = edits.labelOf(id);
        edits.remove(id);
        tell("removed", id, label);
        return "Removed.";
      },
    ),
    defineTool(
      { name: "connect", description: "Lets one step lead to another.", input: z.object({ from, to: step }) },
      ({ from: source, to }) => {
        edits.connect(source, to);
        tell("connected", to);
        return "Connected.";
      },
    ),
    defineTool(
      { name: "disconnect", description: "Removes a connection.", input: z.object({ from, to: step }) },
      ({ from: source, to }) => {
        edits.disconnect(source, to);
        tell("changed", to);
        return "Disconnected.";
      },
    ),
  ];
}

/** Errors that are for the person to resolve: the installation lacks something, or someone has to allow it. */
const openCodes = new Set([
  ...["credential-missing", "document-store-missing", "agent-missing", "mcp-server-missing", "store-incomplete"],
  ...["credential-destination-unconfirmed", "credential-host-unknown", "model-not-configured", "model-unavailable"],
]);

function finishTool({ edits, check }: Options, done: (given: Finish) => void): DraftTool {
  let refusals = 0;
  return defineTool(
    {
      name: "finish",
      description: "Ends the work. Call it once the draft is complete and checked.",
      input: z.object({
        name: z.string().max(200).default("").describe("A name for the agent: two to four words"),
        summary: z.string().max(2_000).describe("What it does, or what was changed, in two or three sentences"),
        open: z
          .array(z.string().max(500))
          .max(20)
          .default([])
          .describe("What the person still has to choose or supply, one sentence each"),
      }),
    },
    async ({ name, summary, open }) => {
      const errors = (await check()).filter(({ level, code }) => level === "error" && !openCodes.has(code));
      if (errors.length > 0 && refusals < mostRefusals) {
        refusals += 1;
        throw new EditRefused(`Not yet: the draft has errors. Correct them, then finish.\n${toReport(errors, edits)}`);
      }
      done({ name, summary, open });
      return "Done.";
    },
  );
}

/** After so many attempts the draft is shown as it is, with its findings. */
const mostRefusals = 3;

function toReport(findings: readonly Finding[], edits: FlowEdits): string {
  if (findings.length === 0) return "Nothing is wrong.";
  const known = new Set(edits.flow().nodes.map(({ id }) => id));
  return findings
    .slice(0, 40)
    .map(({ level, nodeId, path, message }) => {
      const place = nodeId !== null && known.has(nodeId) ? ` ${nodeId}${path === undefined ? "" : ` ${path}`}` : "";
      return `${level}${place}: ${message}`;
    })
    .join("\n");
}
