import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { type ChatCompletionRequest, createScriptedOpenAiServer, type ScriptStep } from "@weft/providers/testing";
import { readConfig } from "@weft/server";
import { describeReport } from "../commands/test-flows.ts";
import { type FlowTestReport, runFlowTests } from "./run-flow-tests.ts";
import { answerAsMcpServer } from "./testing/answer-as-mcp-server.ts";
import { createFlowFolder, flowInRow, startTestApi, type TestApi } from "./testing/flow-folder.ts";

const apiKey = "sk-of-the-operator-0123456789";

type World = {
  script?: (request: ChatCompletionRequest) => ScriptStep;
  flow: object;
  tests: object;
  api?: TestApi;
  env?: Record<string, string>;
};

/** A flow with its tests in a folder of their own, and a model that answers while they are recorded. */
async function prepare(t: TestContext, { script = () => ({ text: "Hello." }), flow, tests, api, env }: World) {
  const model = await createScriptedOpenAiServer({ script });
  t.after(() => model.close().catch(() => undefined));
  const folder = await createFlowFolder(t);
  await folder.write("case.flow.json", flow);
  const file = await folder.write("case.test.json", tests);
  const config = readConfig({
    EVENT_API: "false",
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: apiKey,
    EGRESS_ALLOW: api?.host ?? "",
    ...env,
  });
  return {
    ...folder,
    model,
    record: () => runFlowTests(file, { record: config }),
    replay: () => runFlowTests(file),
    recordings: () => folder.read("case.recordings.json"),
    async endWorld() {
      await model.close();
      await api?.close();
    },
  };
}

function assertPassed(report: FlowTestReport): void {
  assert.deepEqual(
    report.cases.flatMap(({ problems }) => problems),
    [],
    describeReport(report),
  );
}

function problemsOf({ cases }: FlowTestReport): string[] {
  return cases.flatMap(({ problems }) => problems.map(({ what }) => what));
}

const oneCase = (more: object) => ({ cases: [{ name: "one", question: "Hello", ...more }] });

/** An agent that looks a city up, and an HTTP node that reports. */
function weatherFlow(api: TestApi, more: { system?: string; path?: string; header?: string } = {}) {
  const { system = "You know the weather.", path = "weather", header = "a" } = more;
  const parameters = { city: { type: "string", in: "query", required: true, description: "City" } };
  const tool = { url: `${api.url}/${path}`, name: "get_weather", description: "The weather of a city", parameters };
  return flowInRow(
    {
      agent_0: {
        type: "agent",
        config: {
          messages: [{ role: "system", content: system }],
          tools: [{ type: "request-get", config: tool }],
          updateState: [{ key: "city", value: "{{ question }}" }],
        },
      },
      http_0: {
        type: "http",
        config: { method: "POST", url: `${api.url}/report`, headers: [{ key: "x-kind", value: header }] },
      },
      reply_0: { type: "direct-reply", config: { message: "{{ agent_0 }} Report {{ http_0.output.data.id }}." } },
    },
    { state: { city: "" } },
  );
}

function weatherModel({ messages }: ChatCompletionRequest): ScriptStep {
  const last = messages.at(-1);
  if (last?.role === "tool") return { text: `It says ${String(last.content)}` };
  return { toolCalls: [{ name: "get_weather", arguments: { city: String(last?.content) } }] };
}

const weatherCase = oneCase({
  question: "Paris",
  expect: {
    answer: { contains: ["21 degrees", "Report 7."], excludes: "Rome", matches: "^It says" },
    tools: [{ tool: "get_weather", arguments: { city: "Paris" } }],
    notTools: ["send_report"],
    state: { city: "Paris" },
    warnings: [],
  },
});

async function prepareWeather(t: TestContext) {
  const api = await startTestApi(t, (request, response) => {
    response.setHeader("content-type", "application/json");
    response.setHeader("set-cookie", "session=of-the-api");
    response.end(request.url === "/report" ? '{"id":7}' : '{"now":"21 degrees"}');
  });
  const world = await prepare(t, { script: weatherModel, flow: weatherFlow(api), tests: weatherCase, api });
  return { ...world, api, change: (more: object) => world.write("case.flow.json", weatherFlow(api, more)) };
}

describe("recordings", () => {
  it("stand for models, tools and HTTP calls, without network and without secrets", async (t) => {
    const { record, replay, recordings, endWorld, api, model } = await prepareWeather(t);
    assertPassed(await record());
    assert.deepEqual([model.count(), api.count()], [2, 2]);
    const written = await recordings();
    await endWorld();
    assertPassed(await replay());
    assert.equal(await recordings(), written);
    for (const secret of [apiKey, "of-the-api", "x-kind"]) assert.ok(!written.includes(secret), secret);
  });

  it("stand for an MCP server: which tools it has, and what they answer", async (t) => {
    const api = await startTestApi(t, answerAsMcpServer);
    const { record, replay, endWorld } = await prepare(t, {
      script: ({ messages }) =>
        messages.at(-1)?.role === "tool"
          ? { text: `It is ${messages.at(-1)?.content}.` }
          : { toolCalls: [{ name: "tide", arguments: { port: "Brest" } }] },
      flow: flowInRow({ a: { type: "agent", config: { tools: [{ type: "mcp-server", config: { url: api.url } }] } } }),
      tests: oneCase({ expect: { answer: "It is high.", tools: [{ tool: "tide", arguments: { port: "Brest" } }] } }),
      api,
    });
    assertPassed(await record());
    const asked = api.count();
    await endWorld();
    assertPassed(await replay());
    assert.ok(asked > 0);
    assert.equal(api.count(), asked);
  });

  it("are the same when nothing changed", async (t) => {
    const { record, recordings } = await prepareWeather(t);
    await record();
    const before = await recordings();
    await record();
    assert.equal(await recordings(), before);
  });

  it("are asked for when there are none", async (t) => {
    const { replay } = await prepareWeather(t);
    const [problem] = problemsOf(await replay());
    assert.match(problem ?? "", /^There is no recording of the model by default\. Run with --record\.$/);
  });

  const changes: Record<string, [change: object, problem: RegExp]> = {
    "a prompt": [{ system: "You guess." }, /^The request to openai\S+ \(1\/agent_0#0\/model-0\) is not the one/],
    "a tool": [{ path: "forecast" }, /^There is no recording of the tools of request-get with these settings/],
    "a header": [{ header: "b" }, /^The request to POST http\S+ \(1\/http_0#0\/http\) is not the one/],
  };
  for (const [name, [change, problem]] of Object.entries(changes)) {
    it(`do not stand for a flow with another ${name.slice(2)}`, async (t) => {
      const world = await prepareWeather(t);
      assertPassed(await world.record());
      await world.change(change);
      const problems = problemsOf(await world.replay());
      assert.match(problems[0] ?? "", problem);
      assert.match(problems[0] ?? "", /Run with --record\.$/);
    });
  }

  it("that nobody asks for fail the case", async (t) => {
    const turns = [{ question: "Hello" }, { question: "Again" }];
    const { record, replay, write } = await prepare(t, {
      flow: flowInRow({ llm_0: { type: "llm" } }),
      tests: { cases: [{ name: "one", turns }] },
    });
    assertPassed(await record());
    await write("case.test.json", { cases: [{ name: "one", turns: turns.slice(0, 1) }] });
    assert.deepEqual(problemsOf(await replay()), [
      "Recordings were not asked for: 2/llm_0#0/model-0. Run with --record.",
    ]);
  });

  it("that miss fail the case, though the flow catches the failure", async (t) => {
    const flow = flowInRow({
      llm_0: { type: "llm" },
      reply_0: { type: "direct-reply", config: { message: "Caught." } },
    });
    for (const edge of flow.edges) if (edge.source === "llm_0") Object.assign(edge, { sourcePort: "error" });
    const { replay } = await prepare(t, { flow, tests: oneCase({ expect: { answer: "Caught." } }) });
    assert.deepEqual(problemsOf(await replay()), ["There is no recording of the model by default. Run with --record."]);
  });

  it("keep failures: of a vendor, and of a step that took too long", async (t) => {
    const script = ({ messages }: ChatCompletionRequest): ScriptStep =>
      String(messages.at(-1)?.content) === "slow"
        ? { hang: true }
        : { status: 401, body: { error: { message: "no" } } };
    const config = { onFailure: { timeoutMs: 200 } };
    const { record, replay, endWorld } = await prepare(t, {
      script,
      flow: flowInRow({ llm_0: { type: "llm", config } }),
      tests: {
        cases: [
          { name: "refused", question: "Hello", expect: { error: "model-unauthorized" } },
          { name: "slow", question: "slow", expect: { error: "flow-node-failed" } },
        ],
      },
    });
    assertPassed(await record());
    await endWorld();
    assertPassed(await replay());
  });

  it("hold no secret, though a model says it, and replay as they were recorded", async (t) => {
    const env = {
      RUNTIME_VARIABLES: "SHOP_TOKEN",
      SHOP_TOKEN: "token-of-the-shop",
      MCP_SERVERS: '{"files":{"command":"files","env":{"KEY":"key-of-the-files"}}}',
    };
    const said = `${apiKey}, ${env.SHOP_TOKEN}, key-of-the-files.`;
    const { record, replay, recordings } = await prepare(t, {
      env,
      script: ({ messages }) => ({ text: messages.length > 1 ? "Never." : said }),
      flow: flowInRow({ llm_0: { type: "llm" } }),
      tests: {
        cases: [
          {
            name: "one",
            turns: [
              { question: "Which keys?", expect: { answer: "[secret], [secret], [secret]." } },
              { question: "Say it again", expect: { answer: "Never." } },
            ],
          },
        ],
      },
    });
    assertPassed(await record());
    assert.doesNotMatch(await recordings(), /sk-of|of-the-shop|of-the-files/);
    assertPassed(await replay());
  });

  it("are bounded", async (t) => {
    const api = await startTestApi(t, (_request, response) => response.end("x".repeat(1_100_000)));
    const flow = flowInRow({ http_0: { type: "http", config: { url: api.url, responseType: "text" } } });
    const { record, recordings } = await prepare(t, { flow, tests: oneCase({}), api });
    assert.match(problemsOf(await record())[0] ?? "", /answered 1100\d+ characters; recordings keep at most 1048576/);
    assert.ok((await recordings()).length < 1_000);
  });

  it("that are broken are refused with the place", async (t) => {
    const { replay, write } = await prepare(t, { flow: flowInRow({ llm_0: { type: "llm" } }), tests: oneCase({}) });
    await write("case.recordings.json", "{");
    await assert.rejects(replay(), { name: "FileError", message: /case\.recordings\.json is not JSON: / });
    await write("case.recordings.json", { weftRecordings: 1, models: {}, tools: {}, cases: { one: { a: 1 } } });
    await assert.rejects(replay(), /holds no recordings \(see cases\.one\.a\)\. Delete it and run with --record\./);
  });
});

describe("code of a flow", () => {
  const codeFlow = (code: string) => flowInRow({ code_0: { type: "custom-function", config: { code } } });

  it("runs in the test when it calls nothing", async (t) => {
    const tests = oneCase({ expect: { answer: "3" } });
    const { replay, write } = await prepare(t, { flow: codeFlow("return 1 + 2;"), tests });
    assertPassed(await replay());
    await write("case.flow.json", codeFlow("return 1 + 3;"));
    const [problem] = (await replay()).cases[0]?.problems ?? [];
    assert.deepEqual(problem, { what: "answer", expected: "3", actual: "4" });
  });

  it("is recorded when it calls out, and again after it changed", async (t) => {
    const api = await startTestApi(t, (_request, response) => response.end("42"));
    const code = `return (await fetch("${api.url}")).text();`;
    const tests = oneCase({ expect: { answer: "42" } });
    const { record, replay, write, endWorld } = await prepare(t, { flow: codeFlow(code), tests, api });
    assertPassed(await record());
    await endWorld();
    assertPassed(await replay());
    assert.equal(api.count(), 1);
    await write("case.flow.json", codeFlow(`${code} // changed`));
    assert.match(problemsOf(await replay())[0] ?? "", /is not the one that was recorded/);
  });
});

describe("a case", () => {
  it("knows its time, its chat and its variables, the same in every run", async (t) => {
    const message = "{{ current_date_time }} {{ $flow.chatId }} {{ $vars.unit }}";
    const flow = flowInRow({ reply_0: { type: "direct-reply", config: { message } } });
    const tests = { now: "2026-03-02T08:30:00Z", ...oneCase({ vars: { unit: "km" }, expect: { answer: "?" } }) };
    const { replay } = await prepare(t, { flow, tests });
    const answers = [await replay(), await replay()].map(({ cases }) => cases[0]?.problems[0]?.actual);
    assert.match(String(answers[0]), /^2026-03-02T08:30:00.000Z [0-9a-f-]{36} km$/);
    assert.equal(answers[1], answers[0]);
  });

  it("goes on in its chat after a person has answered, and remembers", async (t) => {
    const flow = flowInRow({
      ask_0: { type: "human-input", config: { question: "Send {{ question }}?" } },
      llm_0: { type: "llm" },
    });
    for (const edge of flow.edges) if (edge.source === "ask_0") Object.assign(edge, { sourcePort: "proceed" });
    const { record, replay, endWorld } = await prepare(t, {
      script: ({ messages }) => ({ text: messages.map(({ content }) => String(content)).join(" | ") }),
      flow,
      tests: {
        cases: [
          {
            name: "one",
            turns: [
              { question: "a letter", expect: { status: "waiting", answer: "Send a letter?" } },
              {
                human: { type: "proceed", feedback: "By air" },
                expect: { answer: { contains: ["a letter", "By air"] } },
              },
            ],
          },
        ],
      },
    });
    assertPassed(await record());
    await endWorld();
    assertPassed(await replay());
  });

  it("records agents that its flow calls as one call", async (t) => {
    const agentId = "5a0e7c1b-2f4d-4c6a-8b9e-7d6f5a4b3c2d";
    const { record, replay, recordings, write, endWorld } = await prepare(t, {
      script: () => ({ text: "From the other agent." }),
      flow: flowInRow({ call_0: { type: "execute-flow", config: { agentId } } }),
      tests: { agents: { [agentId]: "other.flow.json" }, ...oneCase({ expect: { answer: "From the other agent." } }) },
    });
    await write("other.flow.json", flowInRow({ llm_9: { type: "llm" } }));
    assertPassed(await record());
    await endWorld();
    assertPassed(await replay());
    assert.doesNotMatch(await recordings(), /llm_9/);
  });

  it("fails with what was expected and what came", async (t) => {
    const { record } = await prepare(t, {
      script: weatherless,
      flow: flowInRow({ llm_0: { type: "llm" } }),
      tests: {
        findings: ["node-unreachable"],
        cases: [
          { name: "text", question: "Hello", expect: { answer: "Good\nmorning" } },
          {
            name: "parts",
            question: "Hello",
            expect: { answer: { contains: "evening", excludes: "day", matches: "^b" } },
          },
          { name: "data", question: "json", expect: { answer: { json: { a: [1] } } } },
          { name: "tools", question: "Hello", expect: { tools: ["look"], state: { a: 1 }, warnings: ["x"] } },
          { name: "end", question: "Hello", expect: { error: "model-timeout", answer: "never looked at" } },
        ],
      },
    });
    const report = await record();
    assert.deepEqual(
      report.cases.map(({ problems }) => problems.map(({ what }) => what)),
      [
        ["findings"],
        ["answer"],
        ["answer contains", "answer excludes", "answer matches"],
        ["answer json"],
        ["tools", "state", "warnings"],
        ["status"],
      ],
    );
    const text = describeReport(report);
    assert.match(text, /✗ case: text\n {4}answer\n {8}Good\n {6}- morning\n {6}\+ day\n/);
    assert.match(text, / {4}status\n {6}- failed \(model-timeout\)\n {6}\+ completed\n/);
  });
});

function weatherless({ messages }: ChatCompletionRequest): ScriptStep {
  return { text: messages.at(-1)?.content === "json" ? '{"a":[1,2]}' : "Good\nday" };
}
