import assert from "node:assert/strict";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, it, type TestContext } from "node:test";
import { createScriptedOpenAiServer, type ScriptStep } from "@weft/providers/testing";
import { type CliEnd, startCli } from "../../server/src/cli/testing/run-cli.ts";
import { freePort } from "../../server/src/testing/free-port.ts";
import { startPlatformProcess } from "../../server/src/testing/platform-process.ts";
import { flow, flowProcess } from "./flow-tests/testing/call-flow.ts";
import { flowsFolder } from "./flow-tests/testing/demo-flows.ts";
import { createFlowFolder, flowInRow, startTestApi } from "./flow-tests/testing/flow-folder.ts";

const apiKey = "sk-of-the-operator-0123456789";

async function startModel(t: TestContext, script: ScriptStep[]) {
  const model = await createScriptedOpenAiServer({ script });
  t.after(() => model.close());
  return { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: apiKey };
}

/** No command shows a stack, a secret, or something else than a sentence. */
function assertSentences({ stderr }: CliEnd): void {
  assert.doesNotMatch(stderr, /^\s+at |node:internal|Error:/m);
  assert.ok(!stderr.includes(apiKey));
}

describe("npm run flow", () => {
  it("says how it is used", async () => {
    for (const help of [await flowProcess(["--help"]), await flow(["run", "--help"])]) {
      assert.equal(help.exitCode, 0);
      assert.match(help.stdout, /^Usage: npm run -s flow -- COMMAND/);
    }
  });

  const mistakes: Record<string, [args: string[], sentence: RegExp]> = {
    "no command": [[], /^Usage: /],
    "an unknown command": [["fly"], /^There is no command fly\./],
    "a command that every object has": [["constructor"], /^There is no command constructor\./],
    "an unknown option": [["check", "--fast", "x.json"], /^Unknown option '--fast'\. See npm run -s flow -- --help\./],
    "a server without a token": [["check", "a.json", "--server", "http://localhost:1"], /^--server needs --token: /],
    "a token without a server": [["check", "a.json", "--token", "t"], /^--token needs --server/],
    "a server that is not an address": [
      ["check", "a.json", "--server", "localhost", "--token", "t"],
      /is not a valid address\. Use one such as/,
    ],
    "no file": [["check"], /^Name the file of a flow\./],
    "two files": [["check", "a.json", "b.json"], /^Name one file only\./],
    "a file that is not there": [
      ["check", "/nowhere.json"],
      /^\/nowhere\.json cannot be read: there is no such file\./,
    ],
    "a folder": [["check", "/"], /^\/ cannot be read: it is a folder\./],
    "nothing to say": [["run", "x.json"], /^Give either --input or --form\./],
    "a form that is no object": [["run", "x.json", "--form", "[1]"], /^--form takes a JSON object/],
    "a variable without a value": [["run", "x.json", "--input", "a", "--var", "b"], /^--var takes NAME=VALUE\./],
    "a test file of another name": [["test", "x.yaml"], /^x\.yaml is no test file\./],
    "no test file": [["test"], /^Name the files of the tests/],
  };
  const processes = new Set(["no command", "an unknown option"]);
  for (const [name, [args, sentence]] of Object.entries(mistakes)) {
    it(`refuses ${name} with a sentence and status 2`, async () => {
      const end = await (processes.has(name) ? flowProcess(args) : flow(args));
      assert.equal(end.exitCode, 2);
      assert.match(end.stderr, sentence);
      assert.equal(end.stdout, "");
      assertSentences(end);
    });
  }

  it("refuses an environment that configures no server", async (t) => {
    const folder = await createFlowFolder(t);
    const file = await folder.write("a.flow.json", flowInRow({ llm_0: { type: "llm" } }));
    const end = await flow(["run", file, "--input", "Hello"], { RUN_TIMEOUT_MS: "soon" });
    assert.deepEqual([end.exitCode, end.stdout], [2, ""]);
    assert.match(end.stderr, /^RUN_TIMEOUT_MS must be a whole number/);
  });
});

describe("flow check", () => {
  it("prints each finding with its code, its step and what to do", async (t) => {
    const folder = await createFlowFolder(t);
    const steps = { a: { type: "teleport", label: "Beam" }, b: { type: "llm", config: { temprature: 1 } } };
    const end = await flowProcess(["check", await folder.write("a.flow.json", flowInRow(steps))]);
    assert.equal(end.exitCode, 1);
    assert.match(end.stdout, /^error {4}node-type-unknown {2}Beam: Its type "teleport" is not known\. Known types: /m);
    assert.match(end.stdout, /^error {4}node-config-invalid {2}b: .*temprature/m);
    assert.match(end.stdout, /^a\.flow\.json cannot run: 2 errors, 0 warnings\.$/m);
  });

  it("lets a flow pass that can run, warnings or not", async (t) => {
    const folder = await createFlowFolder(t);
    const base = flowInRow({ llm_0: { type: "llm" }, b: { type: "llm", label: "Lonely" } });
    const file = await folder.write("a.flow.json", { ...base, edges: base.edges.slice(0, 1) });
    const end = await flow(["check", file]);
    assert.deepEqual([end.exitCode, end.stderr], [0, ""]);
    assert.match(end.stdout, /^warning {2}node-unreachable {2}Lonely: /);
    assert.match(end.stdout, /can run: 0 errors, 1 warning\.$/m);
  });

  it("asks a running server for what only it knows, and leaves nothing there", async (t) => {
    const folder = await createFlowFolder(t);
    const agentId = "01890000-0000-7000-8000-000000000000";
    const steps = { call: { type: "execute-flow", label: "Ask", config: { agentId } } };
    const file = await folder.write("a.flow.json", flowInRow(steps));
    const server = await startPlatformProcess();
    t.after(() => server.kill("SIGKILL"));
    const alone = await flow(["check", file]);
    assert.deepEqual([alone.exitCode, alone.stderr], [0, ""]);
    const asked = await flow(["check", file, "--server", `${server.url}/`, "--token", server.token]);
    assert.equal(asked.stderr, "");
    assert.match(asked.stdout, new RegExp(`^(error|warning) +\\S+ {2}Ask: .*${agentId}`, "m"));
    await server.call("POST", "/chatflows", { id: agentId, name: "Other", flowData: "{}" });
    const found = await flow(["check", file, "--server", server.url, "--token", server.token]);
    assert.match(found.stdout, /^a\.flow\.json can run: 0 errors, 0 warnings\.$/m);

    const wrong = await flow(["check", file, "--server", server.url, "--token", "wk_wrong"]);
    assert.equal(wrong.exitCode, 2);
    assert.match(wrong.stderr, /answered 401\. Send a valid token or API key/);
    assertSentences(wrong);
    await server.remove();
    const gone = await flow(["check", file, "--server", server.url, "--token", server.token]);
    assert.equal(gone.exitCode, 2);
    assert.match(gone.stderr, /does not answer: .*Check the address and that the server is running\./);
    assertSentences(gone);
  });

  it("refuses what is no JSON", async (t) => {
    const folder = await createFlowFolder(t);
    const end = await flow(["check", await folder.write("a.flow.json", "weft: 1")]);
    assert.equal(end.exitCode, 2);
    assert.match(end.stderr, /a\.flow\.json is not JSON: /);
    assertSentences(end);
  });
});

/** As the exports of AgentFlow V2 are: only what is read of them. */
const foreignFlow = {
  nodes: [
    {
      id: "startAgentflow_0",
      type: "agentFlow",
      position: { x: 0, y: 0 },
      data: foreignData("startAgentflow", "Start"),
    },
    {
      id: "directReplyAgentflow_0",
      type: "agentFlow",
      position: { x: 200, y: 0 },
      data: { ...foreignData("directReplyAgentflow", "Reply"), inputs: { directReplyMessage: "Hello {{question}}" } },
    },
  ],
  edges: [{ id: "e", source: "startAgentflow_0", target: "directReplyAgentflow_0", type: "agentFlow" }],
};

function foreignData(name: string, label: string) {
  return { id: `${name}_0`, name, label, category: "Agent Flows", version: 1, inputs: { startInputType: "chatInput" } };
}

describe("flow convert", () => {
  it("prints the native flow of a foreign one, or writes it", async (t) => {
    const folder = await createFlowFolder(t);
    const file = await folder.write("foreign.json", foreignFlow);
    const printed = await flowProcess(["convert", file]);
    assert.equal(printed.exitCode, 0, printed.stderr);
    const converted = JSON.parse(printed.stdout);
    assert.equal(converted.weft, 1);
    assert.deepEqual(
      converted.nodes.map(({ type }: { type: string }) => type),
      ["start", "direct-reply"],
    );
    const out = folder.path("native.flow.json");
    assert.deepEqual(await flow(["convert", file, "--out", out]), { exitCode: 0, stdout: "", stderr: printed.stderr });
    assert.equal(await folder.read("native.flow.json"), printed.stdout);
    const ran = await flow(["run", out, "--input", "Ada"]);
    assert.deepEqual([ran.exitCode, ran.stdout], [0, "Hello Ada\n"]);
  });

  it("takes the files of another builder together, and says what is left to do", async (t) => {
    const folder = await createFlowFolder(t);
    const workflow = await folder.write(
      "hello.workflow.yaml",
      "kind: workflow\nactions:\n  - {kind: InvokeAzureAgent, id: greet, agent: {name: Greeter}}\n",
    );
    const agent = await folder.write(
      "greeter.yaml",
      "kind: Prompt\nname: Greeter\nmodel: gpt-4o\ninstructions: Greet.\n",
    );
    const out = folder.path("hello.flow.json");
    const end = await flow(["convert", workflow, agent, "--out", out]);
    assert.deepEqual([end.exitCode, end.stdout], [0, ""]);
    assert.deepEqual(end.stderr.trim().split("\n"), [
      "to do    Choose the model for gpt-4o.",
      "steps    2 converted exactly, 0 with a remark, 0 with an error",
    ]);
    const { nodes } = JSON.parse(await folder.read("hello.flow.json"));
    assert.deepEqual(
      nodes.map(({ type }: { type: string }) => type),
      ["start", "llm"],
    );
    const alone = await flow(["check", workflow]);
    assert.equal(alone.exitCode, 1);
    assert.match(alone.stdout, /foundry-agent-missing .*Greeter/);
    const unknown = await flow(["convert", await folder.write("notes.txt", "Buy milk.")]);
    assert.deepEqual([unknown.exitCode, unknown.stdout], [2, ""]);
    assert.match(unknown.stderr, /^None of these files is /);
  });

  it("fails with a finding, and without a flow, for what it does not know", async (t) => {
    const folder = await createFlowFolder(t);
    const end = await flow(["convert", await folder.write("a.json", { nodes: [{ id: "x" }], edges: [] })]);
    assert.deepEqual([end.exitCode, end.stdout], [1, ""]);
    assert.match(end.stderr, /^error {4}flow-dialect-unknown {2}/);
  });

  it("says why it cannot write", async (t) => {
    const folder = await createFlowFolder(t);
    const file = await folder.write("foreign.json", foreignFlow);
    const end = await flow(["convert", file, "--out", "/nowhere/native.json"]);
    assert.equal(end.exitCode, 2);
    assert.match(end.stderr, /^\/nowhere\/native\.json cannot be written: /m);
    assertSentences(end);
  });
});

const calling = (url: string) =>
  flowInRow({
    agent_0: {
      type: "agent",
      label: "Agent",
      config: { tools: [{ type: "request-get", config: { url, name: "get_thing", description: "Gets a thing" } }] },
    },
  });

describe("flow run", () => {
  for (const stream of [[], ["--stream"]]) {
    it(`prints the answer, and each step beside it ${stream}`, async (t) => {
      const api = await startTestApi(t, (_request, response) => response.end("blue".padEnd(500, "!")));
      const env = await startModel(t, [{ toolCalls: [{ name: "get_thing", arguments: {} }] }, { text: "It is blue." }]);
      const folder = await createFlowFolder(t);
      const file = await folder.write("a.flow.json", calling(api.url));
      const settings = { ...env, EGRESS_ALLOW: api.host };
      const call = stream.length === 0 ? flowProcess : flow;
      const end = await call(["run", file, "--input", "Which?", ...stream], settings);
      assert.deepEqual([end.exitCode, end.stdout], [0, "It is blue.\n"]);
      assert.match(end.stderr, /^ {2}get_thing \{\} → blue!+…$/m);
      assert.match(end.stderr, /^✓ Agent \d+\.\d s 30 tokens$/m);
      assertSentences(end);
    });
  }

  for (const kind of ["requests", "openapi"]) {
    it(`runs the project's ${kind} flow at the port that the event API is configured with`, async (t) => {
      const port = await freePort();
      const file = join(flowsFolder, `event-assistant-${kind}.flow.json`);
      const env = { EVENT_API: "true", EVENT_API_PORT: String(port) };
      const end = await flow(["run", file, "--input", "List all events"], env);
      assert.equal(end.exitCode, 0, end.stderr);
      assert.match(end.stdout, /Jazz by the River/);
      const other = await startTestApi(t, (_request, response) => response.end("[]"));
      const args = ["run", file, "--input", "List all events", "--var", `eventApi=${other.url}`];
      const elsewhere = await flow(args, { ...env, EGRESS_ALLOW: other.host });
      assert.equal(elsewhere.exitCode, 0, elsewhere.stderr);
      assert.doesNotMatch(elsewhere.stdout, /Jazz by the River|is not allowed/);
      assert.equal(other.count(), 1);
    });
  }

  it("prints the API's result with --json", async (t) => {
    const folder = await createFlowFolder(t);
    const message = "{{ $form.city }} {{ $vars.unit }} {{ $flow.sessionId }}";
    const file = await folder.write("a.flow.json", flowInRow({ r: { type: "direct-reply", config: { message } } }));
    const args = ["--form", '{"city":"Rome"}', "--var", "unit=km=1", "--chat", "chat-1", "--json"];
    const end = await flow(["run", file, ...args]);
    assert.equal(end.exitCode, 0, end.stderr);
    const result = JSON.parse(end.stdout);
    assert.deepEqual([result.text, result.chatId, result.form], ["Rome km=1 chat-1", "chat-1", { city: "Rome" }]);
  });

  it("fails with the reason: a flow that cannot run, a model that is not there, a run that takes too long", async (t) => {
    const folder = await createFlowFolder(t);
    const unknown = await folder.write("unknown.flow.json", flowInRow({ a: { type: "teleport", label: "Beam" } }));
    const model = { provider: "anthropic", model: "claude" };
    const keyless = await folder.write("keyless.flow.json", flowInRow({ a: { type: "llm", config: { model } } }));
    const plain = await folder.write("plain.flow.json", flowInRow({ a: { type: "llm" } }));
    const slow = { ...(await startModel(t, [{ hang: true }])), RUN_TIMEOUT_MS: "300" };
    const cases: [file: string, env: Record<string, string>, reason: RegExp][] = [
      [unknown, {}, /^The run failed \(flow-invalid\): .*Its type "teleport" is not known/m],
      [keyless, {}, /^The run failed \(model-not-configured\): .*ANTHROPIC_API_KEY\.$/m],
      [plain, slow, /^The run failed \(flow-timeout\): The run took longer than 300 ms/m],
    ];
    for (const [file, env, reason] of cases) {
      const end = await flow(["run", file, "--input", "Hello"], env);
      assert.deepEqual([end.exitCode, end.stdout], [1, ""]);
      assert.match(end.stderr, reason);
      assertSentences(end);
    }
  });

  it("asks the person, and goes on with the answers that it has", async (t) => {
    const folder = await createFlowFolder(t);
    const file = await folder.write("a.flow.json", asking);
    const answers: [args: string[], exitCode: number, stdout: string][] = [
      [[], 3, "Ship it?\n"],
      [["--answer", "approve"], 0, "Shipped. proceed\n"],
      [["--answer", "By ship"], 0, "Shipped. By ship\n"],
      [["--answer", "reject", "--stream"], 0, "Stopped.\n"],
    ];
    for (const [args, exitCode, stdout] of answers) {
      const end = await flow(["run", file, "--input", "Ship", ...args]);
      assert.deepEqual([end.exitCode, end.stdout], [exitCode, stdout], end.stderr);
      assert.match(end.stderr, /^… Ask waits for a person$/m);
      assert.equal(/goes on\.$/m.test(end.stderr), exitCode === 3);
    }
  });

  it("ends its run when it is interrupted", async (t) => {
    const folder = await createFlowFolder(t);
    const file = await folder.write("a.flow.json", flowInRow({ a: { type: "llm" } }));
    const model = await createScriptedOpenAiServer({ script: [{ hang: true }] });
    t.after(() => model.close());
    const env = { EVENT_API: "false", OPENAI_BASE_URL: model.url };
    const child = startCli("flow", { args: ["run", file, "--input", "Hello"], env });
    const stderr = text(child.stderr);
    while (model.count() === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    child.kill("SIGINT");
    const [exitCode] = await once(child, "exit");
    assert.equal(exitCode, 1);
    assert.match(await stderr, /The run was cancelled\.\n$/);
    assert.equal(model.abandoned(), 1);
  });
});

const asking = {
  weft: 1,
  nodes: [
    { id: "start", type: "start", label: "Start" },
    { id: "ask", type: "human-input", label: "Ask", config: { question: "{{ question }} it?" } },
    { id: "yes", type: "direct-reply", label: "Yes", config: { message: "Shipped. {{ ask }}" } },
    { id: "no", type: "direct-reply", label: "No", config: { message: "Stopped." } },
  ],
  edges: [
    { id: "a", source: "start", target: "ask" },
    { id: "b", source: "ask", sourcePort: "proceed", target: "yes" },
    { id: "c", source: "ask", sourcePort: "reject", target: "no" },
  ],
};

describe("flow test", () => {
  it("records, replays and reports", async (t) => {
    const env = await startModel(t, [{ text: "Hello Ada." }]);
    const folder = await createFlowFolder(t);
    await folder.write("a.flow.json", flowInRow({ llm_0: { type: "llm" } }));
    const tests = "cases:\n  - name: greets\n    question: I am Ada\n    expect: { answer: Hello Ada. }\n";
    const file = await folder.write("a.test.yaml", tests);
    const passed = { exitCode: 0, stdout: "✓ a: greets\n1 passed, 0 failed\n", stderr: "" };
    assert.deepEqual(await flowProcess(["test", file, "--record"], env), passed);
    assert.deepEqual(await flow(["test", file]), passed);

    await folder.write("a.test.yaml", tests.replace("Hello Ada.", "Hello Bob."));
    const failed = await flow(["test", file]);
    assert.equal(failed.exitCode, 1);
    assert.equal(
      failed.stdout,
      "✗ a: greets\n    answer\n      - Hello Bob.\n      + Hello Ada.\n0 passed, 1 failed\n",
    );
    const report = JSON.parse((await flow(["test", file, "--json"])).stdout);
    assert.deepEqual([report.passed, report.failed], [0, 1]);
    const problem = { what: "answer", expected: "Hello Bob.", actual: "Hello Ada." };
    assert.deepEqual(report.files, [{ file, name: "a", cases: [{ name: "greets", problems: [problem] }] }]);
  });

  it("refuses files that it cannot use with a sentence and status 2", async (t) => {
    const folder = await createFlowFolder(t);
    const tests = { cases: [{ name: "one", question: "Hello" }] };
    await folder.write("a.flow.json", flowInRow({ llm_0: { type: "llm" } }));
    await folder.write("a.recordings.json", "[]");
    const cases: [file: string, sentence: RegExp][] = [
      [await folder.write("a.test.json", tests), /a\.recordings\.json holds no recordings/],
      [await folder.write("b.test.json", tests), /b\.flow\.json cannot be read: there is no such file\./],
      [await folder.write("c.test.yaml", "cases: [\n"), /c\.test\.yaml is not YAML: /],
      [await folder.write("d.test.yaml", "cases: []\n"), /d\.test\.yaml: cases: needs at least one case\./],
    ];
    for (const [file, sentence] of cases) {
      const end = await flow(["test", file]);
      assert.deepEqual([end.exitCode, end.stdout], [2, ""]);
      assert.match(end.stderr, sentence);
      assertSentences(end);
    }
  });
});
