import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Script } from "@weft/providers/testing";
import type { Tool, UsedTool } from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { openScriptedPlatform } from "../testing/scripted-model.ts";
import { agentWith, flowOf } from "../testing/test-platform.ts";

type Answer = { text: string; usedTools: (UsedTool & { error?: string })[]; executionId: string };

const weather = {
  name: "Get weather!",
  description: "Tells the weather of a city.",
  schema: JSON.stringify([
    { id: 0, property: "city", description: "Name of the city", type: "string", required: true },
    { id: 1, property: "days", description: "", type: "number", required: false },
  ]),
  func: "return { city: $city, days: $days ?? 1, unit: $vars.unit, asked: $flow.input };",
};

/** The model calls the tool with these arguments, then says what it read. */
const callsTool =
  (name: string, args: object): Script =>
  ({ messages }) => {
    const read = messages.findLast(({ role }) => role === "tool");
    return read ? { text: `Read: ${read.content}` } : { toolCalls: [{ name, arguments: { ...args } }] };
  };

async function open(t: TestContext, databases: TestDatabases, script: Script, env: Record<string, string> = {}) {
  const platform = await openScriptedPlatform(t, databases, script, { env });
  return {
    model: platform.model,
    platform,
    store: (tool: object) => platform.json<Tool>("POST", "/tools", tool),
    agent: (...tools: object[]) => agentWith(platform, flowOf("agent", "Agent", { tools })),
    ask: (agentId: string) => platform.json<Answer>("POST", `/prediction/${agentId}`, { question: "How is it?" }),
  };
}

await onTestDatabase((databases) => {
  test("an agent calls a stored tool, and the model reads its result", async (t) => {
    const at = await open(t, databases, callsTool("Get_weather", { city: "Ulm" }));
    await at.platform.json("POST", "/variables", { name: "unit", value: "C" });
    const { id } = await at.store(weather);
    const answer = await at.ask(await at.agent({ type: "custom-tool", config: { toolId: id } }));
    const result = '{"city":"Ulm","days":1,"unit":"C","asked":"How is it?"}';
    assert.equal(answer.text, `Read: ${result}`);
    assert.deepEqual(answer.usedTools, [{ tool: "Get_weather", toolInput: { city: "Ulm" }, toolOutput: result }]);
    const [offered] = at.model.requests[0]?.body.tools ?? [];
    assert.equal(offered?.function.description, "Tells the weather of a city.");
    assert.deepEqual(offered?.function.parameters, {
      type: "object",
      properties: { city: { type: "string", description: "Name of the city" }, days: { type: "number" } },
      required: ["city"],
      additionalProperties: false,
    });
  });

  test("an agent uses a tool as it is when it runs", async (t) => {
    const at = await open(t, databases, callsTool("Get_weather", { city: "Ulm" }));
    const { id } = await at.store(weather);
    const agentId = await at.agent({ type: "custom-tool", config: { toolId: id } });
    await at.platform.json("PUT", `/tools/${id}`, { func: "return 'sunny'" });
    assert.equal((await at.ask(agentId)).text, "Read: sunny");
    await at.platform.json("DELETE", `/tools/${id}`);
    const refused = await at.platform.send("POST", `/prediction/${agentId}`, { question: "How is it?" });
    const problem = (await refused.json()) as { code: string; message: string };
    assert.deepEqual([refused.status, problem.code], [500, "tool-invalid"]);
    assert.match(problem.message, /it was deleted\. Choose another tool/);
  });

  test("failures are results: of the code, of the arguments, of a description", async (t) => {
    const at = await open(t, databases, callsTool("Get_weather", { town: "Ulm" }));
    const { id } = await at.store({ ...weather, func: "throw new Error('reached')" });
    const agentId = await at.agent({ type: "custom-tool", config: { toolId: id } });
    const misfit = await at.ask(agentId);
    assert.match(misfit.text, /^Read: The arguments do not match.*town: No such parameter/);
    await at.platform.json("PUT", `/tools/${id}`, { schema: '[{"property":"town"}]' });
    const thrown = await at.ask(agentId);
    assert.equal(thrown.text, "Read: Get weather! failed: Error: reached");
    assert.equal(thrown.usedTools[0]?.error, "Get weather! failed: Error: reached");
    await at.platform.json("PUT", `/tools/${id}`, { func: "Tells the weather." });
    assert.match((await at.ask(agentId)).text, /^Read: Get weather! describes what it does/);
  });

  test("what the environment holds is in no journal, unless the code returns it", async (t) => {
    const secret = "value-of-the-environment-55c0";
    const at = await open(t, databases, callsTool("Get_weather", { city: "Ulm" }), {
      RUNTIME_VARIABLES: "SECRET",
      SECRET: secret,
    });
    await at.platform.json("POST", "/variables", { name: "SECRET", type: "runtime" });
    const { id } = await at.store({ ...weather, func: "return $vars.SECRET.length" });
    const agentId = await at.agent({ type: "custom-tool", config: { toolId: id } });
    const { executionId, text } = await at.ask(agentId);
    assert.equal(text, `Read: ${secret.length}`);
    const execution = JSON.stringify(await at.platform.json("GET", `/executions/${executionId}`));
    assert.ok(!execution.includes(secret));
  });

  test("built-in tools work side by side", async (t) => {
    const calls = [
      { name: "calculator", arguments: { expression: "0.1 + 0.2" } },
      { name: "current_date_time", arguments: { timeZone: "Asia/Kolkata" } },
    ];
    const at = await open(t, databases, ({ messages }) => {
      const read = messages.filter(({ role }) => role === "tool").map(({ content }) => content);
      return read.length > 0 ? { text: read.join(" at ") } : { toolCalls: calls };
    });
    const agentId = await at.agent({ type: "calculator" }, { type: "current-date-time" });
    assert.match(
      (await at.ask(agentId)).text,
      /^0\.3 at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+05:30, \w+day, Asia\/Kolkata$/,
    );
  });
});
