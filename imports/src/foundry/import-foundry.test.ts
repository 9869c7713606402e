import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { describe, it } from "node:test";
import type { ImportedFlow, ImportFile } from "@weft/dialects/importer";
import { flowDocumentSchema } from "@weft/schema";
import { importFoundry, isFoundryFile } from "./index.ts";
import { readFile } from "./read-yaml.ts";
import { codesOf, errorsOf, fixture, importFixtures, importText, nodeOf } from "./testing/run-workflow.ts";

const names = readdirSync(new URL("testing/fixtures/", import.meta.url));
const hello = "kind: Workflow\nactions:\n  - kind: SendActivity\n    id: hi\n    activity: Hello\n";
const file = (text: string, name = "a.yaml"): ImportFile => ({ name, text });
const text = (imported: ImportedFlow) => JSON.stringify([imported.flow, imported.findings, imported.choices]);

describe("recognising a Foundry file", () => {
  it("tells workflows, agents and Copilot topics from other files", () => {
    for (const name of names) {
      const expected = /\.agent\./.test(name) ? "agent" : name === "topic.yaml" ? "copilot-topic" : "workflow";
      assert.equal(isFoundryFile(fixture(name)), expected, name);
    }
    for (const other of [
      "",
      "hello",
      "{}",
      "[]",
      "kind: Deployment\nspec: {}",
      '{"nodes":[],"edges":[]}',
      "kind: [",
      "a: b: c",
    ]) {
      assert.equal(isFoundryFile(file(other)), undefined, other);
    }
  });

  it("reads a byte order mark, other line ends, a fence, and keys in any case and order", () => {
    const variants = [
      hello,
      `\uFEFF${hello.replaceAll("\n", "\r\n")}`,
      `Some words:\n\n\`\`\`yaml\n${hello}\`\`\`\nmore`,
      hello.replace("kind: Workflow", "KIND: wOrKfLoW"),
      "actions:\n  - activity: Hello\n    id: hi\n    kind: sendactivity\nid: ''\nkind: workflow\n",
      '{"kind": "workflow", "actions": [{"kind": "SendActivity", "id": "hi", "activity": "Hello"}]}',
      "name: x\nactions:\n  - {kind: SendActivity, id: hi, activity: Hello}\n",
    ];
    for (const variant of variants) {
      assert.equal(isFoundryFile(file(variant)), "workflow", variant);
      const imported = importText(variant);
      assert.deepEqual(imported.findings, []);
      assert.equal(nodeOf(imported, "hi").config.message, "Hello");
    }
  });

  it("reads a value that begins with an equals sign as text to the end of its line, and of lines below it", () => {
    const lines = [
      'value: ={id: 7, name: "tea"}',
      'value: ="see #4: it\'s fine"',
      "value: =If(true,",
      '  "yes: no")',
      "text: |",
      "  =left: as it is",
      "list:",
      "  - =[1, 2]",
      "  - |",
      "    =block # too",
      "last: 1",
    ];
    const values = lines.map((line, index) => (line.startsWith("value") ? line.replace("value", `v${index}`) : line));
    assert.deepEqual(readFile(values.join("\n")), {
      ok: true,
      warnings: [],
      value: {
        v0: '={id: 7, name: "tea"}',
        v1: '="see #4: it\'s fine"',
        v2: '=If(true, "yes: no")',
        text: "=left: as it is\n",
        list: ["=[1, 2]", "=block # too\n"],
        last: 1,
      },
    });
    const { findings } = importText("kind: Workflow\nactions:\n  - kind: A\n    value: =If(a,\n      b)\n    c: [\n");
    assert.match(findings[0]?.message ?? "", /Line 7/, "lines keep their numbers");
  });

  it("recognises a workflow whose YAML is broken, and says where", () => {
    const broken = "kind: Workflow\nactions:\n\t- kind: SendActivity\n";
    assert.equal(isFoundryFile(file(broken)), "workflow");
    const { findings } = importText(broken);
    assert.match(findings[0]?.message ?? "", /a?test\.yaml.*Line 3: .*Indent with spaces/);
    assert.match(importText("kind: Workflow\nactions: [\n").findings[0]?.message ?? "", /Line \d/);
  });
});

describe("an imported workflow", () => {
  it("compiles without errors but choices of models, agents and tools, for every fixture", () => {
    const allowed = /^(foundry-agent-missing|agent-missing|foundry-tool-missing|import-store-missing)/;
    for (const name of names.filter((one) => !/\.agent\.|topic|unsupported/.test(one))) {
      const imported = importFixtures(name);
      assert.deepEqual(
        errorsOf(imported).filter((error) => !allowed.test(error)),
        [],
        name,
      );
      assert.ok(flowDocumentSchema.safeParse(imported.flow).success);
      assert.deepEqual(importFixtures(name), imported);
    }
  });

  it("is named as the file says, or as the file is", () => {
    assert.equal(importFixtures("triage.workflow.yaml").name, "triage");
    assert.equal(importFoundry([file(hello, "dir/greeting.workflow.yaml")]).name, "greeting");
  });

  it("asks for models and agents that it only names", () => {
    const imported = importFixtures("triage.workflow.yaml", "triage.agent.yaml");
    assert.deepEqual(imported.choices, [
      { kind: "model", name: "gpt-4.1-mini", places: [{ nodeId: "t", path: "model" }], findings: [] },
    ]);
    assert.deepEqual(nodeOf(imported, "t").config.model, {
      model: "gpt-4.1-mini",
      provider: "openai",
      temperature: 0.2,
      maxTokens: 300,
    });
    const missing = importFixtures("triage.workflow.yaml");
    const [{ findings: open = [], ...choice } = {}] = missing.choices;
    assert.deepEqual(choice, { kind: "agent", name: "Triage", places: [{ nodeId: "t", path: "agentId" }] });
    assert.deepEqual([codesOf(open), missing.findings], [["error foundry-agent-missing"], []]);
  });

  it("tells an agent of the server what was said so far where it may be asked again", () => {
    const call = (goto: string) =>
      importText(`kind: Workflow
actions:
  - {kind: InvokeAzureAgent, id: search, agent: {name: Searcher}}
  - {kind: RequestExternalInput, id: more}
${goto}`);
    assert.equal(nodeOf(call(""), "search").config.input, "{{ question }}");
    assert.equal(nodeOf(call(""), "more").config.question, "", "the agent has spoken");
    const again = call("  - {kind: GotoAction, id: again, actionId: search}\n");
    assert.equal(nodeOf(again, "search").config.input, "{{ question }}\n\n{{ chat_history }}");
  });

  it("makes native conditions of comparisons, and declares every variable", () => {
    const imported = importFixtures("triage.workflow.yaml", "triage.agent.yaml");
    assert.deepEqual(nodeOf(imported, "g").config.branches, [
      {
        id: "branch-1",
        title: "g-urgent",
        match: "all",
        conditions: [{ type: "boolean", left: "{{ $flow.state.T.urgent }}", operation: "equal", right: true }],
      },
    ]);
    assert.deepEqual(nodeOf(imported, "start").config.state, { T: null, Phone: null, System_LastMessageText: null });
    assert.deepEqual(nodeOf(imported, "t").config.updateState, [{ key: "T", value: "{{ output.json }}" }]);
  });

  it("reads the text of messages without a function", () => {
    const imported = importFixtures("portal-order.yaml");
    assert.deepEqual(
      (nodeOf(imported, "ConditionGroup-3").config.branches as { conditions: unknown[] }[])[0]?.conditions,
      [{ type: "string", left: "{{ $flow.state.Var2 }}", operation: "equal", right: "Sales" }],
    );
  });

  it("gives each of an agent's tools its approval", () => {
    const agent = `kind: Prompt
name: X
instructions: 'Use {{Tone}} and {{Missing}} but not {{ "a": 1 }}.'
tools:
  - kind: mcp
    url: https://m.example/mcp
    allowedTools: [read, write]
    approvalMode: {kind: specify, neverRequireApprovalTools: [read]}
  - {kind: function, name: lookup}
  - {kind: openapi, name: shop}
  - {kind: mcp, name: plain, serverUrl: =Env.SERVER}
options: {temperature: 9, seed: 1}`;
    const workflow = `kind: Workflow
actions:
  - kind: InvokeAzureAgent
    id: x
    agent: X
    input: {arguments: {Tone: calm, Other: =Local.A + 1}}`;
    const imported = importFoundry([file(workflow), file(agent, "x.yaml")]);
    const { config } = nodeOf(imported, "x");
    assert.deepEqual(config.tools, [
      { type: "mcp-server", config: { url: "https://m.example/mcp", tools: ["write"] }, requiresApproval: true },
      { type: "mcp-server", config: { url: "https://m.example/mcp", tools: ["read"] }, requiresApproval: false },
      { type: "mcp-server", config: { url: "{{ $vars.SERVER }}" }, requiresApproval: true },
    ]);
    const content =
      'Use calm and {{ $openBraces }}Missing}} but not {{ "a": 1 }}.\n\nOther: {{ x_input.output.data.argument2 }}';
    assert.deepEqual(config.messages, [{ role: "system", content }]);
    assert.deepEqual(
      codesOf(imported.findings).filter((code) => !code.includes("model-unmapped")),
      [
        "warning foundry-input-missing",
        "warning foundry-model-option-ignored",
        "error foundry-tool-missing",
        "error foundry-tool-unsupported",
      ],
    );
    assert.deepEqual(errorsOf(imported).length, 2);
  });

  it("imports one workflow of several and names the others", () => {
    const imported = importFoundry([file(hello), file(hello, "b.yaml"), file("nothing", "c.txt")]);
    assert.deepEqual(codesOf(imported.findings), [
      "error foundry-file-unreadable",
      "warning foundry-workflow-left-out",
    ]);
    assert.match(imported.findings[1]?.message ?? "", /b\.yaml/);
  });

  it("reads the workflow that Foundry's API keeps in an agent", () => {
    const api = JSON.stringify({
      name: "outer",
      versions: { latest: { definition: { kind: "workflow", workflow: hello } } },
    });
    assert.equal(isFoundryFile(file(api)), "workflow");
    const imported = importText(api);
    assert.deepEqual([imported.name, nodeOf(imported, "hi").type, imported.findings], ["outer", "direct-reply", []]);
  });

  it("reads a workflow and its agents from one file of several documents", () => {
    const several = `---\n${hello}  - {kind: InvokeAzureAgent, id: ask, agent: X, output: {autoSend: false}}\n---\nkind: Prompt\nname: X\nmodel: m\n`;
    assert.equal(isFoundryFile(file(several)), "workflow");
    const imported = importText(several);
    assert.deepEqual(imported.findings, []);
    const { type, config } = nodeOf(imported, "ask");
    assert.deepEqual([type, config.reply, config.responseRole], ["llm", "never", "none"]);
  });

  it("tells of agents that are there twice or not called", () => {
    const agent = file("kind: Prompt\nname: X", "x.yaml");
    const { findings } = importFoundry([file(hello), agent, agent]);
    assert.deepEqual(codesOf(findings), ["warning foundry-agent-duplicate", "warning foundry-agent-unused"]);
  });

  it("reads variables in braces in addresses and bodies, and leaves other braces alone", () => {
    const imported = importText(`kind: Workflow
actions:
  - kind: HttpRequestAction
    id: call
    method: Post
    url: https://a.example/{Local.Id}
    headers: {Accept: "{x}"}
    body: '{"q": 1}'
    requestTimeoutInMilliseconds: 1500`);
    const { config } = nodeOf(imported, "call");
    assert.deepEqual(
      [config.method, config.url, config.headers, config.bodyType, config.body, config.timeoutMs],
      ["POST", "https://a.example/{{ $flow.state.Id }}", [{ key: "Accept", value: "{x}" }], "json", '{"q": 1}', 1500],
    );
    assert.deepEqual(errorsOf(imported), []);
  });

  it("names line and key of what YAML has in vain", () => {
    const imported = importText(
      `${hello}name: a\nname: b\nbase: &b {x: 1}\nother: {<<: *b}\ntagged: !!python/tuple [1]\n`,
    );
    assert.deepEqual(
      imported.findings.map(({ message }) => /Line \d+: .{10}/.exec(message)?.[0]),
      ["Line 7: the key na", "Line 9: << merges ", "Line 10: Unresolved"],
    );
  });

  it("puts a note in the place of an unknown action and goes on past it", () => {
    const imported = importFixtures("unsupported.yaml");
    assert.deepEqual(codesOf(imported.findings), [
      "error foundry-action-unsupported",
      "error foundry-expression-unsupported",
    ]);
    assert.match(imported.findings[0]?.message ?? "", /Node "card": The kind AdaptiveCardPrompt/);
    assert.match(imported.findings[1]?.message ?? "", /Node "odd": .*SummarizeEverything/);
    assert.equal(nodeOf(imported, "card_note").type, "sticky-note");
    const edges = imported.flow.edges.map(({ source, target }) => `${source}>${target}`);
    assert.deepEqual(edges, ["start>first", "first>odd", "odd>second"]);
  });

  it("refuses what it cannot make sense of, and says what to do", () => {
    for (const [actions, code] of [
      ["[]", "error foundry-actions-missing"],
      ["[{kind: GotoAction, id: a, actionId: nowhere}]", "error foundry-goto-unresolved"],
      ["[{kind: GotoAction, id: a, actionId: a}]", "error foundry-goto-unresolved"],
      ["[{kind: BreakLoop, id: a}]", "warning foundry-loop-missing"],
      ["[{kind: SetVariable, id: a, value: 1}]", "error foundry-variable-invalid"],
      ['[{kind: SetVariable, id: a, variable: "1 + 1", value: 1}]', "error foundry-variable-invalid"],
      ["[{kind: SendActivity, id: a}]", "warning foundry-text-missing"],
      [
        "[{kind: SendActivity, id: a, activity: x}, {kind: SendActivity, id: a, activity: y}]",
        "warning foundry-id-duplicate",
      ],
      ["[{id: a}]", "error foundry-action-unsupported"],
      ["[{kind: ParseValue, id: a, variable: Local.X, valueType: Widget}]", "error foundry-value-type-unsupported"],
      ["[{kind: ConditionGroup, id: a, conditions: [], else: []}]", "error foundry-field-invalid"],
      [
        "[{kind: Question, id: a, prompt: x, entity: {kind: OrganizationPrebuiltEntity}}]",
        "warning foundry-entity-approximated",
      ],
    ]) {
      const { findings } = importText(`kind: Workflow\nactions: ${actions}`);
      assert.ok(codesOf(findings).includes(code ?? ""), `${actions}: ${codesOf(findings)}`);
      for (const { message } of findings) assert.match(message, /\.$/);
    }
  });

  it("gives an agent its tools, and asks for what they need", () => {
    const imported = importFixtures("secrets.yaml", "leaky.agent.yaml");
    const { type, config } = nodeOf(imported, "agent");
    assert.equal(type, "agent");
    assert.deepEqual(config.tools, [
      { type: "mcp-server", config: { url: "https://docs.example.com/mcp" }, requiresApproval: false },
      { type: "web-search", config: {}, requiresApproval: false },
      { type: "code-interpreter", config: {}, requiresApproval: false },
    ]);
    assert.deepEqual(
      imported.choices.map(({ kind, name }) => `${kind} ${name}`),
      ["model gpt-4o", "credential web search", "document-store vs_1"],
    );
  });

  it("keeps a secret once, for every step that uses it", () => {
    const { name, text: yaml } = fixture("leaky.agent.yaml");
    const call = (id: string) => `  - {kind: InvokeAzureAgent, id: ${id}, agent: Leaky}\n`;
    const imported = importFoundry([file(`kind: Workflow\nactions:\n${call("a")}${call("b")}`), { name, text: yaml }]);
    assert.deepEqual(
      imported.secrets.map(({ credentialName, places }) => [credentialName, places.map(({ nodeId }) => nodeId)]),
      [
        ["openAIApi", ["a", "b"]],
        ["httpApiKey", ["a", "b"]],
        ["httpBearerToken", []],
      ],
    );
    assert.equal(imported.choices.filter(({ kind }) => kind === "model").length, 1);
  });

  it("keeps secrets apart from the flow", () => {
    const imported = importFixtures("secrets.yaml", "leaky.agent.yaml");
    assert.equal(text(imported).includes("MARKER"), false);
    const kept = imported.secrets.map(
      ({ credentialName, host, places }) => `${credentialName} ${host} ${places[0]?.path}`,
    );
    assert.deepEqual(kept, [
      "httpApiKey mcp.example.com tool.config.credential",
      "httpBearerToken mcp.example.com undefined",
      "httpBasicAuth api.example.com credential",
      "httpApiKey api.example.com undefined",
      "httpApiKey api.example.com undefined",
      "httpApiKey api.example.com undefined",
      "httpApiKey api.example.com undefined",
      "openAIApi api.openai.com model.credential",
      "httpApiKey docs.example.com tools.0.config.credential",
      "httpBearerToken docs.example.com undefined",
    ]);
    assert.equal(nodeOf(imported, "http").config.url, "https://api.example.com/v1?page=1");
  });
});
