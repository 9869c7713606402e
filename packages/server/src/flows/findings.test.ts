import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorBody, FlowReading, JsonObject } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { foreignFlow, startNode } from "../../../dialects/src/testing/foreign-file.ts";
import { openTestPlatform, type TestPlatform } from "../testing/test-platform.ts";

/** A flow of one step, which every question comes to. */
function flowOf(type: string, config: JsonObject): string {
  const nodes = [
    { id: "start", type: "start" },
    { id: "step", type, label: "Step", config },
  ];
  return JSON.stringify({ weft: 1, nodes, edges: [{ id: "e", source: "start", target: "step" }] });
}

const request = (type: string, config: JsonObject = {}) => ({ type: `request-${type}`, config });
const agentWith = (...tools: { type: string; config: JsonObject }[]): [string, JsonObject] => [
  "agent",
  { tools: tools as unknown as JsonObject[] },
];
const url = "https://api.example.com/events";
const apiDescription = `openapi: 3.0.0
info: { title: Events, version: "1" }
servers: [{ url: "https://api.example.com" }]
paths: { /events: { get: { operationId: list, responses: { "200": { description: All } } } } }
`;
const id = { type: "string", required: true };

async function findingsOf(platform: TestPlatform, type: string, config: JsonObject) {
  const { findings } = await platform.json<FlowReading>("POST", "/flows/read", { flowData: flowOf(type, config) });
  return findings;
}

/** What fails at run time for a reason that the settings show, and where the form shows it. */
const failing: [why: string, type: string, config: JsonObject, found: string][] = [
  ["a call without an address", "http", {}, "error http-url-missing url"],
  ["a relative address", "http", { url: "/events" }, "error http-url-invalid url"],
  [
    "a request that only reads at an address of others",
    "http",
    { method: "POST", url: "https://api.example.com/{{ question }}", readOnly: true },
    "warning http-read-templated url",
  ],
  ["a tool without an address", ...agentWith(request("get")), "error tool-config-invalid tools.0.config.url"],
  ["a tool's relative address", ...agentWith(request("get", { url: "/events" })), "error tool-invalid tools.0"],
  ["no tool", "tool", {}, "error tool-missing tool"],
  ["a tool step without an address", "tool", { tool: request("get") }, "error tool-config-invalid tool.config.url"],
  [
    "an argument that the tool does not take",
    "tool",
    {
      tool: request("get", { url, parameters: { limit: {} } }),
      arguments: [
        { name: "limit", value: "1" },
        { name: "page", value: "2" },
      ],
    },
    "error tool-argument-unknown arguments.1.name",
  ],
  ["a statement without a database", "sql", { statement: "select 1" }, "error sql-incomplete host"],
  ["no statement", "sql", { engine: "sqlite", file: "a.db" }, "error sql-statement-missing statement"],
  [
    "a statement of others that may change things",
    "sql",
    { engine: "sqlite", file: "a.db", statement: "{{ question }}", allowWrites: true },
    "error sql-statement-foreign statement",
  ],
  ["a database without a host", ...agentWith({ type: "sql", config: {} }), "error sql-incomplete tools.0.config.host"],
  ["an unknown kind of tool", ...agentWith({ type: "teleport", config: {} }), "error tool-unknown tools.0"],
  ["no agent", "execute-flow", {}, "error agent-missing agentId"],
  ["no list", "iteration", {}, "warning iteration-empty -, error items-missing items"],
  ["an empty reply", "direct-reply", { message: " " }, "warning reply-empty message"],
  ["no branch", "condition", {}, "warning condition-empty branches"],
  ["no code", "custom-function", {}, "warning code-missing code"],
  [
    "a module that the sandbox lacks",
    "custom-function",
    { code: "const { MongoClient } = require('mongodb'); return 1;" },
    "error code-module-unavailable code",
  ],
  ["a model without a key", "llm", { model: { provider: "openai" } }, "error model-not-configured model"],
  ["a model of nobody", "agent", { model: { provider: "nobody" } }, "error model-not-configured model"],
  [
    "two tools of one name",
    ...agentWith(request("get", { url, name: "find" }), request("post", { url, name: "find" })),
    "error tool-name-taken tools.1",
  ],
  [
    "a name that models cannot use",
    ...agentWith(request("get", { url, name: "get events" })),
    "warning tool-name-unusable tools.0.config.name",
  ],
  ["a toolkit without a file", ...agentWith({ type: "openapi-toolkit", config: {} }), "error tool-invalid tools.0"],
  [
    "a place without a parameter",
    ...agentWith(request("get", { url: `${url}/{id}`, parameters: { limit: {} } })),
    "error tool-invalid tools.0",
  ],
  ["an unknown variable", "direct-reply", { message: "{{ $vars.city }}" }, "warning variable-unknown message"],
];

await onTestDatabase((databases) => {
  test("what would fail at run time for a reason known now is a finding, at its field", async (t) => {
    const platform = await openTestPlatform(t, databases);
    for (const [why, type, config, expected] of failing) {
      const findings = await findingsOf(platform, type, config);
      const found = findings.map(({ level, code, path = "-" }) => `${level} ${code} ${path}`).join(", ");
      assert.equal(found, expected, why);
      for (const { message, nodeId } of findings) {
        assert.equal(nodeId, "step", why);
        assert.match(message, /^Node "Step": [A-Z{a-z].*\.$/, why);
      }
    }
  });

  test("a parameter that the model does not take is a finding, and no error", async (t) => {
    const platform = await openTestPlatform(t, databases, { OPENAI_API_KEY: "sk-o", ANTHROPIC_API_KEY: "sk-a" });
    for (const [model, names] of [
      [{ provider: "openai", model: "gpt-4o", seed: 1, topK: 3, stop: ["END"] }, ["topK"]],
      [{ provider: "openai", model: "gpt-5", temperature: 0.5, reasoning: "low" }, ["temperature"]],
      [
        { provider: "anthropic", model: "claude-haiku-4-5", temperature: 1, reasoning: "low", seed: 1 },
        ["temperature", "seed"],
      ],
      [{ provider: "rehearsal", temperature: 1, reasoning: "low", seed: 1 }, []],
    ] as [JsonObject, string[]][]) {
      const findings = await findingsOf(platform, "llm", { model });
      assert.deepEqual(
        findings.map(({ level, code, path }) => `${level} ${code} ${path}`),
        names.map((name) => `warning model-parameter-unused model.${name}`),
      );
      for (const { message } of findings) assert.match(message, /takes no .*\. Remove it, or choose another model\.$/);
    }
  });

  test("what works has no finding: templates, operator's keys, tools with every setting", async (t) => {
    const platform = await openTestPlatform(t, databases, { OPENAI_API_KEY: "sk-operator" });
    await platform.json("POST", "/variables", { name: "base", value: "https://api.example.com" });
    for (const [type, config] of [
      ["http", { url: "{{ $vars.base }}/events" }],
      ["http", { url: "https://{{ question }}/x" }],
      ["llm", { model: { provider: "openai" } }],
      ["llm", {}],
      agentWith(request("put", { url: `${url}/{id}`, bodySchema: { id, name: id } })),
      agentWith(request("get", { url: "{{ $vars.base }}/events/{id}", parameters: { id: { in: "path" } } })),
      agentWith(request("get", { url, name: "find" }), request("get", { url, name: "find_2" })),
      [
        "custom-function",
        { code: "const fetch = require('node-fetch'); return (await fetch('https://x.example')).text();" },
      ],
    ] as [string, JsonObject][]) {
      assert.deepEqual(await findingsOf(platform, type, config), [], JSON.stringify(config));
    }
  });

  test("a change of one thing whose id has no place offers one", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const schema = { id, name: id };
    for (const [type, setting, address, fixed] of [
      ["put", "bodySchema", url, `${url}/{id}`],
      ["put", "bodySchema", `${url}/?a=1`, `${url}/{id}?a=1`],
      ["delete", "parameters", url, `${url}/{id}`],
    ] as const) {
      const [found] = await findingsOf(platform, ...agentWith(request(type, { url: address, [setting]: schema })));
      assert.deepEqual(
        [found?.level, found?.code, found?.path, found?.fix?.path, found?.fix?.value],
        ["warning", "request-id-without-place", `tools.0.config.${setting}`, "tools.0.config.url", fixed],
      );
    }
    for (const type of ["put", "delete"]) {
      const [found, ...others] = await findingsOf(platform, ...agentWith(request(type, { url })));
      assert.deepEqual([found?.level, found?.code, others], ["warning", "request-without-id", []]);
    }
    for (const address of [`${url}/7`, `${url}/{{ question }}`, `${url}?id=7`]) {
      assert.deepEqual(await findingsOf(platform, ...agentWith(request("put", { url: address }))), [], address);
    }
    const deliberate = request("put", { url, bodySchema: { id: { ...id, in: "body" } } });
    assert.deepEqual(await findingsOf(platform, ...agentWith(deliberate)), []);
    assert.deepEqual(await findingsOf(platform, ...agentWith(request("post", { url, bodySchema: schema }))), []);
  });

  test("stored tools that cannot run are findings of the agents that have them", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const create = async (func: string) =>
      (await platform.json<{ id: string }>("POST", "/tools", { name: "Rows", description: "x", func })).id;
    const [lacking, empty, fine] = [
      await create("const { MongoClient } = require('mongodb'); return 1;"),
      await create(""),
      await create("const fetch = require('node-fetch'); return 1;"),
    ];
    const codes = async (toolId: string) =>
      (await findingsOf(platform, ...agentWith({ type: "custom-tool", config: { toolId } }))).map(({ code }) => code);
    assert.deepEqual(await codes(lacking), ["code-module-unavailable"]);
    assert.deepEqual(await codes(empty), ["tool-without-code"]);
    assert.deepEqual(await codes(fine), []);
    assert.deepEqual(await codes("3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f"), ["tool-missing"]);
  });

  test("an agent whose other branch has a finding still answers", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const nodes = [
      { id: "start", type: "start" },
      { id: "which", type: "condition", config: {} },
      { id: "reply", type: "direct-reply", config: { message: "Hello" } },
      { id: "never", type: "http", config: {} },
    ];
    const edges = [
      { id: "a", source: "start", target: "which" },
      { id: "b", source: "which", sourcePort: "else", target: "reply" },
    ];
    const flowData = JSON.stringify({ weft: 1, nodes, edges });
    const agent = await platform.client.createAgent({ name: "A", flowData });
    assert.equal((await platform.client.createPrediction({ id: agent.id }, { question: "Hi" })).text, "Hello");
    const findings = await platform.json<{ code: string }[]>("GET", `/chatflows/${agent.id}/findings`);
    assert.ok(findings.some(({ code }) => code === "http-url-missing"));
  });

  test("a step or tool that cannot work refuses runs that may come to it, before anything is written", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const incomplete: [string, JsonObject, RegExp][] = [
      ["sql", { statement: "select 1" }, /Node "Step": .*host/i],
      [...agentWith({ type: "sql", config: {} }), /Node "Step": .*host/i],
      ["custom-function", { code: "return require('mongodb');" }, /Node "Step": Its function uses mongodb/],
      [...agentWith({ type: "teleport", config: {} }), /no integration of the type "teleport"/],
    ];
    for (const [type, config, sentence] of incomplete) {
      const agent = await platform.client.createAgent({ name: "A", flowData: flowOf(type, config) });
      const response = await platform.send("POST", `/prediction/${agent.id}`, { question: "Hi" });
      assert.equal(response.status, 500);
      const { code, message } = (await response.json()) as ErrorBody;
      assert.equal(code, "flow-invalid");
      assert.match(message, sentence);
    }
  });

  test("what code lacks of an imported function or toolkit is said once, and stops it", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const javascript = "const { x } = require('mongodb'); return x;";
    const files: [string, JsonObject][] = [
      ["customFunctionAgentflow_0", { customFunctionJavascriptFunction: javascript }],
      [
        "agentAgentflow_0",
        {
          agentTools: [
            {
              agentSelectedTool: "openAPIToolkit",
              agentSelectedToolConfig: { openApiFile: apiDescription, customCode: javascript },
            },
          ],
        },
      ],
    ];
    for (const [id, inputs] of files) {
      const flowData = JSON.stringify(foreignFlow([startNode, { id, inputs }], [`${startNode.id}>${id}`]));
      const { findings } = await platform.json<FlowReading>("POST", "/flows/read", { flowData });
      const said = findings.filter(({ code }) => code === "code-module-unavailable");
      assert.deepEqual(
        said.map(({ level, nodeId }) => [level, nodeId]),
        [["error", id]],
      );
      const agent = await platform.client.createAgent({ name: "A", flowData });
      const response = await platform.send("POST", `/prediction/${agent.id}`, { question: "Hi" });
      assert.match(((await response.json()) as ErrorBody).message, /uses mongodb/);
    }
  });
});
