import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { NodeServices } from "@weft/engine/node";
import type { Tool } from "@weft/engine/ports/tool";
import { importFoundry } from "./index.ts";
import {
  closeSandbox,
  errorsOf,
  fixture,
  importFixtures,
  type importText,
  type Run,
  run,
} from "./testing/run-workflow.ts";

/** A workflow of the given actions, with an agent for each name. */
function workflow(actions: string, ...agents: string[]) {
  const body = actions.replaceAll(/^/gm, "  ");
  return importFoundry([
    { name: "flow.yaml", text: `kind: Workflow\nactions:\n${body}\n` },
    ...agents.map((name) => ({
      name: `${name}.yaml`,
      text: `kind: Prompt\nname: ${name}\ninstructions: You are ${name}.`,
    })),
  ]);
}

async function runs(imported: ReturnType<typeof importText>, options: Run = {}) {
  assert.deepEqual(errorsOf(imported), []);
  const done = await run(imported, options);
  assert.equal(done.outcome, "completed", done.error);
  return done;
}

after(closeSandbox);

describe("an imported workflow runs", () => {
  it("through an agent with a response object, a condition and a question", async () => {
    const imported = importFixtures("triage.workflow.yaml", "triage.agent.yaml");
    const urgent = await runs(imported, {
      script: [{ text: '{"urgent":true,"topic":"invoice"}' }],
      answers: ["0731 12"],
    });
    assert.deepEqual(urgent.asked, ["Phone?"]);
    assert.equal(urgent.text, "Noted: 0731 12");
    assert.deepEqual(urgent.order, ["start", "t", "g", "q", "s"]);
    assert.deepEqual(urgent.state.T, { urgent: true, topic: "invoice" });
    const calm = await runs(imported, { script: [{ text: '{"urgent":false,"topic":"invoice"}' }] });
    assert.equal(calm.text, "Noted: ");
    assert.deepEqual(calm.order, ["start", "t", "g", "s"]);
  });

  it("down the first branch that holds, and evaluates no other", async () => {
    const imported = importFixtures("lists.yaml");
    for (const [question, text] of [
      ["abc", "A\n\nAfter"],
      ["bcde", "Long\n\nAfter"],
    ] as const) {
      assert.equal((await runs(imported, { question })).text, text);
    }
    const broken = await run(imported, { question: "b" });
    assert.match(broken.error ?? "", /division by zero/);
  });

  it("with variables of every kind", async () => {
    const done = await runs(importFixtures("variables.yaml"));
    assert.equal(done.text, '2 and 20 {{kept}}|21|Ada|3|[{"id":8}]|7\n\n[][21]');
    assert.deepEqual([done.state.A, done.state.Global_A], [null, 21]);
  });

  it("round a Foreach with its index, its next and its break", async () => {
    const done = await runs(importFixtures("foreach-break.yaml"));
    assert.deepEqual(done.said, ["0: 10", "2: 30"]);
    assert.equal(done.text, "0: 10\n\n2: 30\n\nDone []");
  });

  it("round one Foreach in another", async () => {
    assert.equal((await runs(importFixtures("foreach-nested.yaml"))).text, "a1a2b1b2");
  });

  it("runs a Foreach over nothing not at all, and over one value once", async () => {
    const loop = (items: string) =>
      workflow(
        `- kind: Foreach\n  items: ${items}\n  value: Local.I\n  actions:\n    - {kind: SendActivity, activity: "<{Local.I}>"}\n- {kind: SendActivity, activity: end}`,
      );
    assert.equal((await runs(loop("=Local.None"))).text, "end");
    assert.equal((await runs(loop("=7"))).text, "<7>\n\nend");
    assert.equal((await runs(loop("'=[{Value: 1}, {Value: 2}]'"))).text, "<1>\n\n<2>\n\nend");
  });

  it("forwards past actions, and past those that nothing leads to", async () => {
    const imported = importFixtures("goto-forward.yaml");
    assert.equal((await runs(imported, { question: "short" })).text, "The end.");
    assert.equal((await runs(imported, { question: "long" })).text, "The long way.\n\nThe end.");
  });

  it("back to an agent, which is told the question once", async () => {
    const agents = ["Student", "Teacher"].map((name) => ({
      name: `${name}.yaml`,
      text: `kind: Prompt\nname: ${name}`,
    }));
    const { name, text } = fixture("guessing-game.yaml");
    const imported = importFoundry([{ name, text: text.replace("=Env.STUDENT", "Student") }, ...agents]);
    const script = [{ text: "5?" }, { text: "Try again" }, { text: "4!" }, { text: "Well done" }];
    const done = await runs(imported, { question: "2 + 2", script });
    assert.equal(done.text, "5?\n\nTry again\n\n4!\n\nWell done\n\nGOLD STAR!");
    assert.deepEqual(done.prompts[3], ["user: 2 + 2", "assistant: 5?", "assistant: Try again", "assistant: 4!"]);
    assert.equal(done.state.Turns, 2);
    const tired = await runs(imported, {
      question: "2 + 2",
      script: Array.from({ length: 6 }, () => ({ text: "no" })),
    });
    assert.match(tired.text ?? "", /Let's try again later\.\.\.$/);
    assert.equal(tired.state.Turns, 3);
  });

  it("with the latest message handed from agent to agent", async () => {
    const agents = ["Developer", "Reviewer"].map((name) => ({
      name: `${name}.yaml`,
      text: `kind: Prompt\nname: ${name}`,
    }));
    const imported = importFoundry([fixture("code-review.yaml"), ...agents]);
    const script = [{ text: "v1" }, { text: "Shorter" }, { text: "v2" }, { text: "Approved" }];
    const done = await runs(imported, { question: "Sort a list", script });
    assert.equal(done.text, "v1\n\nShorter\n\nv2\n\nApproved\n\nApproved");
    assert.deepEqual(done.prompts[0], ["user: Sort a list"]);
    assert.deepEqual(done.prompts[1], ["user: Sort a list", "assistant: v1", "user: v1"]);
    assert.equal(done.prompts[2]?.at(-1), "user: Shorter");
    assert.equal(done.state.LatestMessage, "Approved");
  });

  it("appends to lists, and reads arguments in their older form", async () => {
    const actions = `
- {kind: AppendValue, path: Local.List, value: 1}
- {kind: AppendValue, path: Local.List, value: =Local.List}
- {kind: SetVariable, id: copy, variable: Local.Copy, value: =Local.Said}
- kind: InvokeAzureAgent
  id: call
  agentId: A
  input:
    parameters: [{name: place, value: Ulm}]
    additionalInstructions: Be brief.
    messages: Hello
  output: {messages: =Local.Said, format: {object: Local.Object}}
- {kind: SendActivity, activity: "{JSON(Local.List)} {Local.Object.a} {Local.Said.Text}"}`;
    const done = await runs(workflow(actions, "A"), { script: [{ text: '{"a": 2}' }] });
    assert.equal(done.text, '{"a": 2}\n\n[{"Value":1},[{"Value":1}]] 2 {"a": 2}');
    assert.deepEqual(done.prompts[0], [
      "system: You are A.\n\nplace: Ulm\nAdditional instructions: Be brief.",
      "user: Hello",
    ]);
  });

  it("asks again until the answer fits, and takes the default after that", async () => {
    const imported = importFixtures("question-number.yaml");
    const first = await runs(imported, { question: "Ada", answers: ["about 12 please"] });
    assert.deepEqual(first.asked, ["How many, Ada?"]);
    assert.equal(first.text, "13 after about 12 please");
    const second = await runs(imported, { question: "Ada", answers: ["many", "3"] });
    assert.equal(second.asked.length, 2);
    assert.equal(second.text, "4 after 3");
    const none = await runs(imported, { question: "Ada", answers: ["many", "lots"] });
    assert.match(none.text ?? "", /I take 7\.\n\n8 after lots$/);
  });

  it("takes an option by its name or another name of it", async () => {
    const imported = importFixtures("question-list.yaml");
    for (const [answer, id] of [
      ["yellow", "option-2"],
      ["Crimson", "option-1"],
      ["RED", "option-1"],
    ]) {
      assert.equal((await runs(imported, { answers: [answer ?? ""] })).text, `Selected: "${id}"`);
    }
    const asked = await runs(imported, { answers: ["green", "blue", "red"] });
    assert.equal(asked.asked.length, 3);
  });

  it("lets an agent talk with the user while its condition holds", async () => {
    const imported = importFixtures("external-loop.yaml", "service.agent.json", "ticketing.agent.yaml");
    const status = (resolved: boolean, ticket: boolean) =>
      JSON.stringify({ IsResolved: resolved, NeedsTicket: ticket, Issue: "reboots" });
    const script = [{ text: status(false, false) }, { text: status(false, true) }, { text: "T-1" }];
    const done = await runs(imported, { question: "It reboots", script, answers: ["I did that"] });
    assert.deepEqual(done.asked, [status(false, false)]);
    assert.deepEqual(done.prompts[1]?.slice(1), [
      "user: It reboots",
      `assistant: ${status(false, false)}`,
      "user: I did that",
    ]);
    assert.equal(done.prompts[2]?.[0], "system: Write a ticket about reboots.");
    assert.equal(done.text, `${status(false, true)}\n\nTicket T-1`);
    const solved = await runs(imported, { question: "It reboots", script: [{ text: status(true, false) }] });
    assert.equal(solved.text, status(true, false));
    assert.equal(solved.state.TicketConversation, null);
  });

  it("keeps the response object where an answer is no JSON", async () => {
    const actions = `
- kind: InvokeAzureAgent
  agent: A
  output: {autoSend: false, responseObject: Local.R}
- {kind: SendActivity, activity: "{Local.R.n}"}
- kind: InvokeAzureAgent
  agent: A
  output: {autoSend: false, responseObject: Local.R}
- {kind: SendActivity, activity: "{Local.R.n}"}`;
    const done = await runs(workflow(actions, "A"), { script: [{ text: '{"n": 1}' }, { text: "sorry" }] });
    assert.equal(done.text, "1\n\n1");
  });

  it("tells an agent what is meant for it, and nothing else", async () => {
    const actions = `
- {kind: InvokeAzureAgent, id: first, agent: {name: A}, output: {messages: Local.One}}
- kind: InvokeAzureAgent
  id: second
  agent: {name: B}
  input: {messages: =Local.One}
  output: {autoSend: false, messages: Local.Two}
- {kind: InvokeAzureAgent, id: third, agent: {name: C}, conversationId: =System.ConversationId}`;
    const done = await runs(workflow(actions, "A", "B", "C"), {
      question: "Q",
      script: [{ text: "1" }, { text: "2" }, { text: "3" }],
    });
    assert.deepEqual(done.prompts, [
      ["system: You are A.", "user: Q"],
      ["system: You are B.", "user: 1"],
      ["system: You are C.", "user: Q", "assistant: 1"],
    ]);
    assert.equal(done.text, "1\n\n3");
    assert.deepEqual([done.state.One, done.state.Two], ["1", "2"]);
  });

  it("tells the question to an agent behind branches of which some have told it", async () => {
    const actions = `
- kind: ConditionGroup
  conditions:
    - condition: =System.LastMessageText = "x"
      actions:
        - {kind: InvokeAzureAgent, agent: {name: A}}
- {kind: InvokeAzureAgent, agent: {name: B}}`;
    const imported = workflow(actions, "A", "B");
    const both = await runs(imported, { question: "x", script: [{ text: "1" }, { text: "2" }] });
    assert.deepEqual(both.prompts[1], ["system: You are B.", "user: x", "assistant: 1"]);
    const one = await runs(imported, { question: "y", script: [{ text: "2" }] });
    assert.deepEqual(one.prompts[0], ["system: You are B.", "user: y"]);
  });

  it("calls the agent whose name is computed", async () => {
    const imported = importFixtures("router.yaml", "weather.agent.yaml", "triage.agent.yaml");
    const done = await runs(imported, { question: "weather", script: [{ text: "Sunny" }] });
    assert.equal(done.text, "Sunny\n\n- Weather: Knows the weather\n- Triage: Decides");
    assert.deepEqual(done.prompts[0], [
      "system: Tell the weather.",
      "user: Team - Weather: Knows the weather\n- Triage: Decides",
    ]);
    const other = await run(imported, { question: "nothing" });
    assert.match(other.error ?? "", /There is no agent named/);
  });

  it("keeps conversations beside that of the run", async () => {
    const { name, text } = fixture("conversations.yaml");
    const imported = importFoundry([
      { name, text },
      { name: "a.yaml", text: "kind: Prompt\nname: Facts" },
    ]);
    const done = await runs(imported, { question: "tea", script: [{ text: "It is hot" }] });
    assert.equal(done.text, "2: Facts about tea / It is hot");
    assert.deepEqual(done.prompts[0], ["user: Facts about tea"]);
  });

  it("calls a tool when a person approves, and goes on when not", async () => {
    const calls: unknown[] = [];
    const tool: Tool = {
      name: "search_docs",
      description: "Searches",
      parameters: { type: "object", properties: { query: { type: "string" }, limit: { type: "number" } } },
      kind: "read",
      effect: "read",
      call: async (args) => {
        calls.push(args);
        return { content: "three pages" };
      },
    };
    const services: Partial<NodeServices> = { tools: { resolve: async () => [tool] } };
    const imported = importFixtures("approval.yaml");
    const yes = await runs(imported, { question: "tea", services, answers: [{ type: "proceed" }] });
    assert.deepEqual(yes.asked, ["May the tool search_docs be called?"]);
    assert.deepEqual(calls, [{ query: "tea", limit: 3 }]);
    assert.equal(yes.text, "Found: three pages");
    const no = await runs(imported, { services, answers: [{ type: "reject" }] });
    assert.equal(no.text, "Found: The call was refused.");
    assert.equal(calls.length, 1);
  });

  it("calls an HTTP API with computed parts, and reads its JSON", async () => {
    const asked: unknown[] = [];
    const http: NodeServices["http"] = {
      async request({ method, url, body }) {
        asked.push([method, url, body ?? ""]);
        const answer = method === "GET" ? { stars: 5 } : { id: "n-1" };
        const bytes = new TextEncoder().encode(JSON.stringify(answer));
        return { status: 200, statusText: "OK", headers: {}, truncated: false, url, body: bytes };
      },
    };
    const done = await runs(importFixtures("http.yaml"), { services: { http } });
    assert.deepEqual(asked, [
      ["GET", "https://api.example.com/repos/weft/weft?page=2", ""],
      ["POST", "https://api.example.com/notes", '{"title":"About weft/weft","stars":5}'],
    ]);
    assert.equal(done.text, "Stars: 5, note n-1");
  });

  it("reads what the platform or the caller sends as variables", async () => {
    const imported = importFixtures("if-python.yaml");
    for (const [age, text] of [
      [30, "Adult"],
      [3, "Child"],
      [70, "Senior"],
    ] as const) {
      assert.equal((await runs(imported, { vars: { age } })).text, text);
    }
  });

  it("tells the next agent the result of a call that joins the conversation", async () => {
    const http: NodeServices["http"] = {
      request: async ({ url }) => {
        const body = new TextEncoder().encode('{"stars":5}');
        return { status: 200, statusText: "OK", headers: {}, truncated: false, url, body };
      },
    };
    const actions = `
- {kind: HttpRequestAction, id: call, url: "https://api.example.com", conversationId: =System.ConversationId}
- kind: InvokeAzureAgent
  agent: {name: A}
  conversationId: =System.ConversationId
  input: {messages: =UserMessage("Summarize it")}
- {kind: InvokeAzureAgent, agent: {name: A}, conversationId: =System.ConversationId}`;
    const done = await runs(workflow(actions, "A"), {
      question: "Q",
      services: { http },
      script: [{ text: "1" }, { text: "2" }],
    });
    assert.deepEqual(done.prompts[0]?.slice(1), ['user: Q\n\n{"stars":5}\n\nSummarize it']);
    assert.deepEqual(done.prompts[1]?.slice(1), ['user: Q\n\n{"stars":5}\n\nSummarize it', "assistant: 1"]);
  });

  it("clears variables that are written further down as well", async () => {
    const actions = `
- kind: If
  condition: =IsBlank(Local.Late)
  then: [{kind: GotoAction, id: skip, actionId: late}]
- {kind: ClearAllVariables, id: clear, variables: ConversationScopedVariables}
- {kind: EndWorkflow, id: end}
- {kind: SetVariable, id: late, variable: Local.Late, value: 1}
- {kind: GotoAction, id: back, actionId: clear}`;
    const done = await runs(workflow(actions));
    assert.equal(done.state.Late, null);
    assert.deepEqual(done.order.slice(-2), ["late", "clear"]);
  });

  it("ends where it says so", async () => {
    const actions = `
- {kind: SendActivity, activity: one}
- kind: If
  condition: =System.LastMessageText = "stop"
  then: [{kind: EndWorkflow}]
- {kind: SendActivity, activity: two}`;
    for (const kind of ["EndWorkflow", "CancelWorkflow"]) {
      const ended = actions.replace("EndWorkflow", kind);
      assert.equal((await runs(workflow(ended), { question: "stop" })).text, "one");
    }
    assert.equal((await runs(workflow(actions), { question: "go" })).text, "one\n\ntwo");
  });

  it("shows no text that only state was written with", async () => {
    const done = await runs(workflow("- {kind: SetVariable, variable: Local.A, value: secret}"));
    assert.equal(done.text, "");
  });
});
