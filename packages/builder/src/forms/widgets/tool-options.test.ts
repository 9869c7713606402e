import assert from "node:assert/strict";
import { test } from "node:test";
import { type ToolSources, toolTitle, toToolOptions } from "./tool-options.ts";

const form = (properties: object, required: string[] = []) => ({ type: "object", properties, required });
const integration = (type: string, group: string, config: object) =>
  ({ type, title: type.toUpperCase(), summary: "S", group, config }) as ToolSources["integrations"][number];

const sources: ToolSources = {
  integrations: [
    integration("get", "request", form({ url: { type: "string" } }, ["url"])),
    integration("stored", "custom", form({ toolId: { type: "string", widget: "custom-tool" } }, ["toolId"])),
    integration(
      "ask",
      "custom",
      form({ agentId: { type: "string", widget: "agent" }, name: { type: "string" } }, ["agentId"]),
    ),
  ],
  tools: [{ id: "t1", name: "weather", description: "" }],
  agents: [{ id: "a1", name: "Helper" }],
};

test("an integration that points to something is offered as what it can point to", () => {
  assert.deepEqual(
    toToolOptions(sources).map(({ title, type, config, group }) => [title, type, config, group]),
    [
      ["GET", "get", { url: "" }, "Requests"],
      ["weather", "stored", { toolId: "t1" }, "Your tools"],
      ["Helper", "ask", { agentId: "a1", name: "Helper" }, "Agents"],
    ],
  );
});

test("a new tool begins with what its schema gives it, besides what is required", () => {
  const config = form({ url: { type: "string" }, body: { type: "object" }, parameters: { initial: {} } }, ["url"]);
  const [option] = toToolOptions({ ...sources, integrations: [integration("get", "request", config)] });
  assert.deepEqual(option?.config, { url: "", parameters: {} });
});

test("a chosen tool is called by its name for the model, else by what it points to, else by its kind", () => {
  const title = (type: string, config: Record<string, string> = {}) => toolTitle({ type, config }, sources);
  assert.equal(title("get", { name: "find_things" }), "find_things");
  assert.equal(title("stored", { toolId: "t1" }), "weather");
  assert.equal(title("get"), "GET");
  assert.equal(title("gone"), undefined);
});
