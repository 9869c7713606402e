import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { createScriptedOpenAiServer, type Script } from "@weft/providers/testing";
import type { Credential, Finding, FlowImport, FlowReading, MessageAction } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { agentWith, llmFlow, openRestartable, openTestPlatform } from "../testing/test-platform.ts";

type Answer = { text: string; executionId: string; action?: MessageAction };

const workflow = `kind: workflow
name: Returns
trigger:
  kind: OnConversationStart
  id: begin
  actions:
    - kind: SetVariable
      id: set_limit
      variable: Local.Limit
      value: =50
    - kind: InvokeAzureAgent
      id: sort
      agent:
        name: Sorter
      output:
        autoSend: false
        responseObject: Local.Case
    - kind: ConditionGroup
      id: which
      conditions:
        - id: large
          condition: =Local.Case.amount > Local.Limit
          actions:
            - kind: Question
              id: ask_reason
              prompt:
                kind: Message
                text: ["Why do you return it?"]
              variable: Local.Reason
              entity:
                kind: StringPrebuiltEntity
            - kind: SendActivity
              id: noted
              activity: "Noted: {Local.Reason}"
      elseActions:
        - kind: SendActivity
          id: small
          activity: "Refunded at once."
`;

const sorter = `kind: Prompt
name: Sorter
instructions: Read the amount.
model:
  id: gpt-4o
outputSchema:
  properties:
    amount:
      kind: number
      required: true
`;

const marker = "tok-9f8e7d6c5b4a3210";
const program = `import { Agent, Runner, hostedMcpTool, withTrace } from "@openai/agents";

const mcp = hostedMcpTool({
  serverLabel: "shop",
  serverUrl: "https://shop.example/mcp",
  allowedTools: ["find_order"],
  authorization: "${marker}",
  requireApproval: "never",
});
const clerk = new Agent({
  name: "Clerk",
  instructions: "Help with orders.",
  model: "gpt-4.1",
  tools: [mcp],
});
const approvalRequest = (message: string) => {
  return true;
};

type WorkflowInput = { input_as_text: string };

export const runWorkflow = async (workflow: WorkflowInput) => {
  return await withTrace("Orders", async () => {
    const conversationHistory = [{ role: "user", content: [{ type: "input_text", text: workflow.input_as_text }] }];
    const runner = new Runner({ traceMetadata: { __trace_source__: "agent-builder", workflow_id: "wf_1" } });
    const approvalMessage = "Cancel the order?";
    if (approvalRequest(approvalMessage)) {
      const clerkResultTemp = await runner.run(clerk, [...conversationHistory]);
      if (!clerkResultTemp.finalOutput) {
        throw new Error("Agent result is undefined");
      }
      const clerkResult = { output_text: clerkResultTemp.finalOutput ?? "" };
      return clerkResult;
    } else {
      const endResult = { message: "Left as it was." };
      return endResult;
    }
  });
};
`;

const foundryFiles = [
  { name: "returns.workflow.yaml", text: workflow },
  { name: "Sorter.yaml", text: sorter },
];
const programFiles = [{ name: "orders.ts", text: program }];

const errorsOf = ({ findings }: Pick<FlowReading, "findings">) =>
  findings.filter(({ level }) => level === "error").map(({ code, message }) => `${code}: ${message}`);

async function scriptedEnv(t: TestContext, script: Script) {
  const model = await createScriptedOpenAiServer({ script });
  t.after(() => model.close());
  return { OPENAI_API_KEY: "k", OPENAI_BASE_URL: model.url, DEFAULT_MODEL: "scripted" };
}

await onTestDatabase((databases) => {
  describe("an import", () => {
    it("shows a workflow with its agents, stores nothing, and then makes an agent that runs", async (t) => {
      const env = await scriptedEnv(t, () => ({ text: '{"amount":80}' }));
      const platform = await openTestPlatform(t, databases, env);
      const seen = await platform.json<FlowReading>("POST", "/flows/read", { files: foundryFiles });
      assert.equal(seen.dialect, "foundry");
      assert.equal(seen.name, "Returns");
      assert.deepEqual(errorsOf(seen), []);
      assert.deepEqual(await platform.json("GET", "/chatflows"), []);
      const { agent } = await platform.json<FlowImport>("POST", "/flows/import", { files: foundryFiles });
      assert.equal(agent.name, "Returns");
      const ask = (body: object) => platform.json<Answer>("POST", `/prediction/${agent.id}`, { chatId: "c", ...body });
      const asked = await ask({ question: "I return the bicycle." });
      assert.equal(asked.text, "Why do you return it?");
      const done = await ask({ humanInput: { type: "proceed", feedback: "It squeaks." } });
      assert.deepEqual([done.text, done.executionId], ["Noted: It squeaks.", asked.executionId]);
    });

    it("finds the agent of a workflow on the server by its name, or asks for it", async (t) => {
      const platform = await openTestPlatform(t, databases, await scriptedEnv(t, () => ({ text: '{"amount":3}' })));
      const files = foundryFiles.slice(0, 1);
      const without = await platform.json<FlowReading>("POST", "/flows/read", { files });
      assert.deepEqual(
        without.choices.map(({ kind, name, proposal }) => [kind, name, proposal]),
        [["agent", "Sorter", undefined]],
      );
      assert.match(errorsOf(without).join("\n"), /^foundry-agent-missing: .*Sorter/m);
      const id = await agentWith(platform, llmFlow(), { name: "sorter" });
      const found = await platform.json<FlowReading>("POST", "/flows/read", { files });
      assert.equal(found.choices[0]?.proposal, id);
      assert.deepEqual(errorsOf(found), []);
      const { agent } = await platform.json<FlowImport>("POST", "/flows/import", { files, name: "Mine" });
      assert.equal(agent.name, "Mine");
      const answer = await platform.json<Answer>("POST", `/prediction/${agent.id}`, { question: "It was cheap." });
      assert.equal(answer.text, "Refunded at once.");
    });

    it("stores a secret of a program as a credential that goes nowhere before somebody allows it, and shows it nowhere", async (t) => {
      const log: string[] = [];
      const platform = await openTestPlatform(t, databases, await scriptedEnv(t, () => ({ text: "Done." })), {
        writeLog: (line) => log.push(line),
      });
      const seen = await platform.json<FlowReading>("POST", "/flows/read", { files: programFiles });
      assert.equal(seen.dialect, "agent-builder");
      assert.deepEqual(
        seen.secrets.map(({ host }) => host),
        ["shop.example"],
      );
      const imported = await platform.json<FlowImport>("POST", "/flows/import", { files: programFiles });
      const [credential] = imported.credentials;
      assert.deepEqual(credential?.hosts, []);
      const told = await platform.json<Finding[]>("GET", `/chatflows/${imported.agent.id}/findings`);
      const [question] = told.filter(({ code }) => code === "credential-destination-unconfirmed");
      assert.deepEqual(
        [question?.bind?.credential, question?.bind?.destination],
        [credential?.id, "https://shop.example"],
      );
      assert.ok(imported.agent.flowData.includes(credential?.id ?? "?"), imported.agent.flowData);
      assert.deepEqual(await platform.json<Credential[]>("GET", "/credentials"), imported.credentials);
      const versions = await platform.json("GET", `/chatflows/${imported.agent.id}/versions/1`);
      for (const shown of [seen, imported, versions, log]) assert.ok(!JSON.stringify(shown).includes(marker));
    });

    it("leaves secrets out for a caller who may not write credentials, and says so", async (t) => {
      const platform = await openTestPlatform(t, databases);
      const { apiKey } = await platform.json<{ apiKey: string }>("POST", "/apikey", {
        keyName: "importer",
        permissions: ["agents:read", "agents:write"],
      });
      const response = await platform.send(
        "POST",
        "/flows/import",
        { files: programFiles },
        {
          authorization: `Bearer ${apiKey}`,
        },
      );
      const imported = (await response.json()) as FlowImport;
      assert.equal(response.status, 200, JSON.stringify(imported));
      assert.deepEqual(imported.credentials, []);
      assert.match(errorsOf(imported).join("\n"), /^import-secret-left-out: /m);
      assert.deepEqual(await platform.json("GET", "/credentials"), []);
    });

    it("refuses files that hold no flow with a sentence", async (t) => {
      const platform = await openTestPlatform(t, databases);
      const files = [{ name: "notes.txt", text: "Buy milk." }];
      const response = await platform.send("POST", "/flows/import", { files });
      assert.equal(response.status, 422);
      const { message } = (await response.json()) as { message: string };
      assert.match(message, /None of these files is .*Choose other files\./);
      const none = await platform.send("POST", "/flows/read", { files: [] });
      assert.equal(none.status, 422);
    });

    it("takes a flow of Weft as it is", async (t) => {
      const platform = await openTestPlatform(t, databases);
      const files = [{ name: "support.flow.json", text: llmFlow() }];
      const { agent } = await platform.json<FlowImport>("POST", "/flows/import", { files });
      assert.equal(agent.name, "support");
      assert.deepEqual(JSON.parse(agent.flowData).nodes.length, JSON.parse(llmFlow()).nodes.length);
    });
  });

  describe("an imported approval", () => {
    it("waits through a restart, and the branch that is not taken never runs", async (t) => {
      let calls = 0;
      const env = await scriptedEnv(t, () => {
        calls += 1;
        return { text: "Cancelled." };
      });
      const installation = await openRestartable(t, databases, env);
      const platform = await installation.open();
      const files = [{ name: "orders.ts", text: program.replaceAll(/\n {2}tools: \[mcp\],/g, "") }];
      const { agent } = await platform.json<FlowImport>("POST", "/flows/import", { files });
      const chat = (text: string) => ({ question: text, chatId: text });
      for (const id of ["yes", "no"]) {
        const asked = await platform.json<Answer>("POST", `/prediction/${agent.id}`, chat(id));
        assert.equal(asked.text, "Cancel the order?");
      }
      assert.equal(calls, 0);
      await installation.close();
      const again = await installation.open();
      const answer = (chatId: string, type: string) =>
        again.json<Answer>("POST", `/prediction/${agent.id}`, { chatId, humanInput: { type } });
      assert.equal((await answer("no", "reject")).text, "Left as it was.");
      assert.equal(calls, 0);
      assert.equal((await answer("yes", "proceed")).text, "Cancelled.");
      assert.equal(calls, 1);
    });
  });
});
