import type { JsonObject } from "@weft/schema";
import { type AgentInput, addModelNode, agentName, askModel, idOf, modelOf } from "./agents.ts";
import type { Drawer } from "./drawer.ts";
import { toSchema } from "./schemas.ts";
import { settingOf, settingsOf, textIn, type Value } from "./values.ts";

/** What a Classify step of the builder asks a model: categories, and examples of them. */
export type Classification = { categories: string[]; instructions: string };

const dropped = /^(TASK|CATEGORIES|RULES|OUTPUT FORMAT)$/i;

/** The categories of an agent whose instructions have the form of a Classify step; undefined for any other agent. */
export function readClassification(drawer: Drawer, agent: Value & { kind: "call" }): Classification | undefined {
  const settings = settingsOf(agent);
  const text = textIn(settings.get("instructions"));
  const schema = toSchema(settingOf(settings, "outputType", "output_type"), drawer.program);
  const fields = Object.keys(schema?.properties ?? {});
  if (text === undefined || fields.length !== 1 || fields[0] !== "category" || settings.has("tools")) return undefined;
  const sections = text.split(/^###[ \t]*/m).map((section) => {
    const [title = "", ...lines] = section.split("\n");
    return { title: title.trim(), body: lines.join("\n").trim() };
  });
  const list = sections.find(({ title }) => /^CATEGORIES$/i.test(title))?.body ?? "";
  const bullets = list.split("\n").flatMap((line) => /^\s*[-*]\s+(.+?)\s*$/.exec(line)?.[1] ?? []);
  const categories = [...new Set(bullets)].slice(0, 50);
  if (categories.length === 0) return undefined;
  const kept = sections.filter(({ title, body }) => body !== "" && !dropped.test(title));
  const instructions = kept.map(({ title, body }) => (title === "" ? body : `${title}\n${body}`)).join("\n\n");
  return { categories, instructions: instructions.replaceAll("{{", "{ {") };
}

/** Draws a Classify step: one exit for each category. */
export function drawClassification(
  drawer: Drawer,
  agent: Value & { kind: "call" },
  { categories, instructions }: Classification,
  asked: { input: AgentInput; template: string },
): Value {
  const ids = toIds(categories);
  const model = modelOf(drawer, agent);
  const config: JsonObject = {
    model,
    instructions,
    input: asked.template,
    scenarios: categories.map((category) => ({ id: ids.get(category) ?? category, description: category })),
    hasElse: false,
    memory: { type: asked.input.usesHistory ? "all" : "off" },
  };
  const label = agentName(agent);
  const id = addModelNode(drawer, { type: "condition-agent", id: idOf(label), label, config }, asked.input);
  askModel(drawer, id, model);
  drawer.cursor.exits = [...ids.values()].map((port) => ({ nodeId: id, port }));
  const category: Value = { kind: "category", nodeId: id, ids };
  const text: Value = { kind: "text", parts: ['{"category":"', category, '"}'] };
  const run: Value = {
    kind: "run",
    nodeIds: [id],
    text,
    data: { kind: "object", fields: new Map([["category", category]]) },
  };
  drawer.cursor.latest = run;
  return run;
}

/** An id of a port for each category: its name where that is one. */
function toIds(categories: readonly string[]): Map<string, string> {
  const ids = new Map<string, string>();
  const taken = new Set(["else", "error"]);
  for (const [index, category] of categories.entries()) {
    const plain = category.replaceAll(/[^A-Za-z0-9_-]+/g, "_").slice(0, 80);
    const id = plain === "" || /^_+$/.test(plain) || taken.has(plain) ? `category_${index + 1}` : plain;
    taken.add(id);
    ids.set(category, id);
  }
  return ids;
}
