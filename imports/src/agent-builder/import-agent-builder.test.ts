import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { describe, it } from "node:test";
import { isAgentBuilderFile } from "./index.ts";
import { fixture, imported, judged, problemsOf, script, workflow } from "./testing/fixture.ts";

const names = readdirSync(new URL("testing/fixtures", import.meta.url)).map((name) => name.replace(/\.txt$/, ""));

describe("a program of the Agents SDK", () => {
  it("is told from other files by its content", () => {
    for (const name of names) assert.ok(isAgentBuilderFile(fixture(name)), name);
    const others = [
      '{ "nodes": [], "from": "@openai/agents" }',
      "kind: workflow\ntrigger:\n  actions: []",
      'import { readFile } from "node:fs";',
      "from agents import farm",
      "",
    ];
    for (const text of others) assert.equal(isAgentBuilderFile({ name: "x.ts", text }), false, text);
    const { text } = fixture("while.py");
    const fenced = `# My flow\r\n\r\n\`\`\`python\r\n${text.replaceAll("\n", "\r\n")}\`\`\`\r\n`;
    assert.ok(isAgentBuilderFile({ name: "flow.md", text: `\uFEFF${fenced}` }));
    assert.deepEqual(imported({ name: "flow.md", text: fenced }).shape, imported(fixture("while.py")).shape);
  });

  it("compiles, whatever is still to be chosen", () => {
    for (const name of names) assert.deepEqual(problemsOf(imported(fixture(name))), [], name);
  });

  it("gives the same flow in either language", () => {
    const [one, other] = [imported(fixture("bike-shop.ts")), imported(fixture("bike-shop.py"))];
    assert.equal(one.name, "Bike shop");
    // Exports in Python have lost the values of enums.
    const withoutEnums = ({ flow }: typeof one) =>
      JSON.parse(JSON.stringify(flow, (key, value) => (key === "enum" ? undefined : value)));
    assert.notDeepEqual(one.flow, other.flow);
    assert.deepEqual(withoutEnums(one), withoutEnums(other));
    assert.deepEqual([one.findings, one.choices], [other.findings, other.choices]);
    assert.deepEqual(one.edges, [
      "start>guardrail_jailbreak",
      "guardrail_jailbreak>if_else",
      "if_else:if>end",
      "if_else:else>triage_agent",
      "triage_agent>if_else_2",
      "if_else_2:if>refund_agent",
      "refund_agent>user_approval",
      "user_approval:proceed>end_2",
      "user_approval:reject>end_3",
      "if_else_2:else-if-1>repair_agent",
    ]);
  });

  it("may stand in several files", () => {
    const { text } = fixture("bike-shop.ts");
    const at = text.indexOf("type WorkflowInput");
    const parts = [
      { name: "workflow.ts", text: `import { triageAgent } from "./agents";\n${text.slice(at)}` },
      { name: "agents.ts", text: text.slice(0, at).replaceAll(/^const (\w+Agent) /gm, "export const $1 ") },
    ];
    assert.deepEqual(imported(...parts).edges, imported(fixture("bike-shop.ts")).edges);
  });

  it("without a function that runs its agents leaves them unconnected, and says so", () => {
    const { shape, edges, codes } = imported(fixture("agents-only.ts"));
    assert.deepEqual([shape, edges], [["start start", "one llm", "two llm"], []]);
    assert.deepEqual(codes, ["error agent-builder-entry-missing"]);
    assert.deepEqual(imported(script("const x = 1;")).codes, ["error agent-builder-agents-missing"]);
    assert.deepEqual(imported(script('const a = new Agent({ name: "A", model: "m" });')).edges, ["start>a"]);
  });
});

describe("agents", () => {
  it("put the question once, and hear each other from then on", () => {
    const { config } = imported(fixture("bike-shop.ts"));
    assert.equal(config("triage_agent").prompt, undefined);
    assert.equal(config("refund_agent").prompt, "");
    assert.equal(config("refund_agent").memory, undefined);
    assert.deepEqual(config("guardrail_jailbreak").memory, { type: "off" });
    const unheard = imported(fixture("mcp-and-context.ts")).config;
    assert.equal(unheard("normalizer").responseRole, "none");
    assert.equal(unheard("producer_printer").prompt, undefined);
  });

  it("put the question wherever a way has not put it yet", () => {
    const text = `if (state.topic == "tea") {
      const first = await runner.run(judge, [...conversationHistory]);
      conversationHistory.push(...first.newItems.map((item) => item.rawItem));
      const last = await runner.run(writer, [...conversationHistory]);
      return { output_text: last.finalOutput };
    } else {
      const other = await runner.run(writer, [...conversationHistory]);
      return { output_text: other.finalOutput };
    }`;
    const { edges, config } = imported(workflow(text));
    assert.deepEqual(edges, ["start>if_else", "if_else:if>judge", "judge>writer", "if_else:else>writer"]);
    assert.equal(config("writer").prompt, undefined);
  });

  it("are shown where their answer is given back, or approved by a person", () => {
    const { config } = imported(fixture("bike-shop.ts"));
    const replies = ["guardrail_jailbreak", "triage_agent", "refund_agent", "repair_agent"].map(
      (id) => config(id).reply,
    );
    assert.deepEqual(replies, ["never", undefined, "always", undefined]);
    assert.equal(imported(fixture("transform.ts")).config("reader").reply, "never");
  });

  it("have instructions with values of the flow", () => {
    const system = (name: string, id: string) => JSON.stringify(imported(fixture(name)).config(id).messages);
    assert.match(system("mcp-and-context.ts", "producer_printer"), /\{\{ normalizer \}\}\\n\\nType \\"done\\"/);
    assert.match(system("connector.py", "matcher"), /Job:\\n\{\{ question \}\}/);
    assert.match(
      system("state-and-search.ts", "writer"),
      /\{\{ \$flow\.state\.user_input \}\}: \{\{ \$flow\.state\.plan \}\}/,
    );
    assert.match(
      system("state-and-search.ts", "asker"),
      /\{\{ \$flow\.state\.plan \}\} and \{\{ \$openBraces \}\}unknown_thing\}\}/,
    );
    assert.match(system("transform.ts", "writer"), /\{\{ question \}\} and \{\{ reader\.output\.title \}\}/);
  });

  it("have instructions however they are put together", () => {
    const system = (instructions: string) => {
      const { config, codes } = imported(
        script(`const rules = ["Be kind.", "Be brief."];
        const a = new Agent({ name: "A", model: "m", instructions: ${instructions} }); run(a, "x");`),
      );
      return [config("a").messages, codes];
    };
    const cases: [string, string][] = [
      ['"One" + " two"', "One two"],
      ['rules.join("\\n")', "Be kind.\nBe brief."],
      ['["Now:", new Date().toISOString()].join(" ")', "Now: {{ current_date_time }}"],
      ["`\\n  Go.\\n`.trim()", "Go."],
      ["`${RECOMMENDED_PROMPT_PREFIX} Go.`.trim()", "Go."],
      ["() => `Today is ${new Date()}.`", "Today is {{ current_date_time }}."],
    ];
    for (const [instructions, content] of cases) {
      assert.deepEqual(system(instructions), [[{ role: "system", content }], []], instructions);
    }
    const python = imported({
      name: "a.py",
      text: `from agents import Agent, Runner\na = Agent(name="A", model="m", instructions=textwrap.dedent("""\\\n    Go.\n      Now.\n    """).strip())\nRunner.run_sync(a, "x")`,
    });
    assert.deepEqual(python.config("a").messages, [{ role: "system", content: "Go.\n  Now." }]);
    assert.match(JSON.stringify(system("readFile('x.md')")), /error agent-builder-code-unknown/);
  });

  it("keep every setting of the model that models here take, and name the others", () => {
    const settings =
      "temperature: 3, topP: 0.5, maxTokens: 100, frequencyPenalty: 0.2, presencePenalty: -0.1, seed: null, toolChoice: 'auto', reasoning: { effort: 'low', summary: 'auto' }";
    const { config, findings } = imported(
      script(
        `const a = new Agent({ name: "A", instructions: "Go.", model: "gpt-5.2", modelSettings: { ${settings} } }); run(a, "x");`,
      ),
    );
    assert.deepEqual(config("a").model, {
      provider: "openai",
      model: "gpt-5.2",
      topP: 0.5,
      maxTokens: 100,
      frequencyPenalty: 0.2,
      presencePenalty: -0.1,
      reasoning: "low",
    });
    const ignored = findings.filter(({ code }) => code === "agent-builder-setting-ignored");
    assert.deepEqual(
      ignored.map(({ message }) => /setting ([\w.]+) has (a value|no)/.exec(message)?.slice(1)),
      [
        ["temperature", "a value"],
        ["tool_choice", "no"],
        ["reasoning.summary", "no"],
      ],
    );
  });

  it("keep model, settings and schema", () => {
    const { config, choices, findings } = imported(fixture("mcp-and-context.ts"));
    assert.deepEqual(config("producer_printer").model, {
      provider: "openai",
      model: "gpt-4.1",
      temperature: 0.75,
      topP: 1,
      maxTokens: 8000,
    });
    assert.deepEqual(choices[0], {
      kind: "model",
      name: "gpt-4.1",
      places: ["normalizer", "producer_printer"].map((nodeId) => ({ nodeId, path: "model" })),
      findings: [],
    });
    assert.equal(findings.filter(({ code }) => code === "agent-builder-setting-ignored").length, 1);
    assert.deepEqual(config("normalizer").structuredOutput, {
      type: "object",
      properties: {
        level: { type: "string", enum: ["a", "b"], description: "How hard" },
        errors: { type: "array", items: { type: "string" } },
        minutes: { type: ["integer", "null"], minimum: 5 },
        nested: {
          type: "object",
          properties: {
            token: { type: "string" },
            deep: {
              type: "array",
              items: {
                type: "object",
                properties: { n: { type: "integer" } },
                required: ["n"],
                additionalProperties: false,
              },
            },
          },
          required: ["token", "deep"],
          additionalProperties: false,
        },
      },
      required: ["level", "minutes", "nested"],
      additionalProperties: false,
    });
  });

  it("have schemas of pydantic, too", () => {
    const { structuredOutput } = imported(fixture("classes.py")).config("planner");
    assert.deepEqual(structuredOutput, {
      type: "object",
      properties: {
        title: { type: "string", description: "Its name" },
        tone: { type: "string", enum: ["kind", "strict"] },
        size: { type: "string", enum: ["s", "m"] },
        note: { type: ["string", "null"] },
        items: {
          type: "array",
          items: {
            type: "object",
            properties: { name: { type: "string" }, count: { type: "integer" } },
            required: ["name"],
            additionalProperties: false,
          },
        },
        extra: { type: ["object", "null"], additionalProperties: { type: "number" } },
      },
      required: ["title", "tone", "size", "items"],
      additionalProperties: false,
    });
  });

  it("that hand over become a choice and the agents behind it", () => {
    const { edges, config, codes } = imported(fixture("handoffs.py"));
    assert.deepEqual(edges, [
      "start>triage_choice",
      "triage_choice:agent_1>orders",
      "triage_choice:agent_2>returns",
      "triage_choice:else>triage",
    ]);
    assert.equal(config("triage_choice").input, "Where is my order?");
    assert.deepEqual(codes, ["error agent-builder-tool-empty", "warning agent-builder-handoff-approximated"]);
  });
});

describe("steps of a program", () => {
  it("that classify become a condition agent", () => {
    const { edges, config } = imported(fixture("classify.ts"));
    assert.deepEqual(edges, [
      "start>classify",
      "classify:PRICES>prices",
      "classify:opening_hours>hours",
      "classify:category_3>fallback",
    ]);
    const { scenarios, input, hasElse, memory, instructions } = config("classify");
    assert.deepEqual(
      [scenarios, input, hasElse, memory],
      [
        [
          { id: "PRICES", description: "PRICES" },
          { id: "opening_hours", description: "opening hours" },
          { id: "category_3", description: "else" },
        ],
        "{{ question }}",
        false,
        { type: "off" },
      ],
    );
    assert.match(String(instructions), /How much is it\?\nCategory: PRICES/);
    assert.equal(config("prices").prompt, undefined);
  });

  it("of a person stand where the export lost them", () => {
    const { edges, findings, config } = imported(fixture("nested-approvals.py"));
    assert.deepEqual(edges, [
      "start>user_approval",
      "user_approval:proceed>user_approval_2",
      "user_approval_2:proceed>agent",
    ]);
    assert.equal(config("user_approval_2").question, "Sure, {{ $flow.state.name }}?");
    assert.ok(findings.some(({ code }) => code === "agent-builder-approval-restored"));
    assert.ok(findings.some(({ code }) => code === "agent-builder-returns-input"));
  });

  it("that end several branches in the same way are drawn once", () => {
    const { edges } = imported(fixture("state-and-search.ts"));
    assert.deepEqual(edges.slice(3), [
      "if_else:if>asker",
      "asker>file_search",
      "file_search>writer",
      "writer>user_approval",
      "user_approval:proceed>set_state_2",
      "user_approval:reject>asker_2",
      "if_else:else>file_search",
    ]);
  });

  it("write the state on the step before, or in one of their own", () => {
    const { config } = imported(fixture("state-and-search.ts"));
    assert.deepEqual(config("start").state, { input: "garden", plan: null, user_input: null, count: 0 });
    assert.deepEqual(config("asker").updateState, [{ key: "plan", value: "{{ output.content }}" }]);
    assert.match(String(config("set_state").code), /\$count \+ 1/);
    assert.deepEqual(config("set_state").updateState, [
      { key: "user_input", value: "{{ output.data.value0 }}" },
      { key: "count", value: "{{ output.data.value1 }}" },
    ]);
  });

  it("that search ask for the document store", () => {
    const { config, choices } = imported(fixture("state-and-search.ts"));
    assert.deepEqual(config("file_search").stores, [{ storeId: "", topK: 20 }]);
    assert.match(String(config("file_search").query), /Search for plants\.[\s\S]*\{\{ \$flow\.state\.plan \}\}/);
    const store = choices.find(({ kind }) => kind === "document-store");
    assert.deepEqual(
      store?.places.map(({ path }) => path),
      ["knowledge.0.storeId", "stores.0.storeId", "knowledge.0.storeId"],
    );
  });

  it("that repeat become a condition and a bounded loop", () => {
    const { edges, config, codes } = imported(fixture("while.ts"));
    assert.deepEqual(edges, [
      "start>while",
      "while:while>drafter",
      "drafter>set_state",
      "set_state>loop",
      "while:else>end",
      "loop>end",
    ]);
    assert.equal(config("loop").target, "while");
    assert.deepEqual(codes, ["warning agent-builder-while-unverified"]);
    assert.deepEqual(imported(fixture("while.py")).edges.slice(-4), [
      "if_else:else>loop",
      "if_else:if>end",
      "if_else:if-2>end",
      "loop>end",
    ]);
  });

  it("that transform and end compute what they pass on", () => {
    const { config, shape } = imported(fixture("transform.ts"));
    assert.ok(shape.includes("transform custom-function"));
    assert.equal(config("transform").reply, "never");
    assert.deepEqual(config("transform").updateState, [{ key: "title", value: "{{ output.data.headline }}" }]);
    assert.equal(config("end_2").message, "Too cheap: {{ $flow.state.title }}");
    assert.equal(config("end").reply, undefined);
  });

  it("give one name several values by the state", () => {
    const { config, edges } = imported(fixture("compiled.js"));
    assert.deepEqual(config("linkedin").updateState, [{ key: "finalResult", value: "{{ output.content }}" }]);
    assert.equal(config("end").message, "{{ $flow.state.finalResult }}");
    assert.deepEqual(edges.slice(-3), ["linkedin>end", "web>end", "set_state>end"]);
  });

  it("may stand in helper functions, classes, handlers and scripts", () => {
    assert.deepEqual(imported(fixture("early-returns.ts")).edges, [
      "start>intent",
      "intent>if_else",
      "if_else:if>clarifier",
      "if_else:if-2>clarifier",
      "if_else:else>if_else_2",
      "if_else_2:if>contract",
      "if_else_2:else>faq",
    ]);
    assert.deepEqual(imported(fixture("classes.py")).edges, ["start>planner", "planner>writer"]);
    assert.deepEqual(imported(fixture("express.ts")).edges, ["start>helper"]);
    assert.deepEqual(imported(fixture("streamlit.py")).edges, ["start>researcher", "researcher>critic"]);
  });

  it("may compute with patterns, parts of texts and numbers", () => {
    const { config, findings, flow } = imported(
      workflow(`const temp = await runner.run(writer, [...conversationHistory]);
const text = temp.finalOutput ?? "";
const found = text.match(/score: (\\d+)/);
state.count = found ? Math.round(parseInt(found[1], 10) / 2) : 0;
state.note = typeof text === "string" ? text.substring(2) : text.toString();
return { count: state.count };`),
    );
    assert.deepEqual(
      findings.filter(({ level }) => level === "error"),
      [],
    );
    const codes = flow.nodes.map(({ id }) => String(config(id).code ?? ""));
    assert.ok(
      codes.some((code) => code.includes("Math.round") && code.includes(".match(new RegExp(")),
      codes.join(),
    );
    assert.ok(
      codes.some((code) => code.includes(".substring(2, undefined)")),
      codes.join(),
    );
  });

  it("may answer as a web server does", () => {
    const answers = [
      "return new Response(JSON.stringify(result), { status: 200 });",
      "return NextResponse.json(result);",
      "return res.json(result);",
    ];
    for (const answer of answers) {
      const { edges, findings } = imported(
        workflow(
          `const temp = await runner.run(writer, [...conversationHistory]);\nconst result = { output_text: temp.finalOutput ?? "" };\n${answer}`,
        ),
      );
      assert.deepEqual([edges, findings.filter(({ level }) => level === "error")], [["start>writer"], []]);
    }
  });

  it("that look an agent up become a condition on what they look up", () => {
    const { edges, config } = imported(fixture("dispatch.ts"));
    assert.deepEqual(edges.slice(1, 5), [
      "classify>which_agent",
      "which_agent:agent-1>services",
      "which_agent:agent-2>sales",
      "which_agent:else>fallback",
    ]);
    assert.equal(config("end").message, "{{ $flow.state.which_agent_answer }}");
    const { findings } = imported(
      workflow("const r = await runner.run(pick(state.topic), [...conversationHistory]); return r.finalOutput;"),
    );
    assert.match(findings[0]?.message ?? "", /Line 9 of the program runs an agent that only the program knows/);
  });

  it("may add to a conversation that is kept elsewhere", () => {
    const { edges, config, choices } = imported(fixture("outer-history.ts"));
    assert.deepEqual(edges.slice(-5), [
      "chooser>if_else_2",
      "if_else_2:if>poster",
      "if_else_2:else>set_state",
      "poster>end",
      "set_state>end",
    ]);
    assert.equal(config("chooser").prompt, undefined);
    assert.equal(config("poster").prompt, "");
    assert.ok(choices.some(({ kind, name }) => kind === "credential" && name === "poster"));
    const made = imported(fixture("crm-message.js"));
    assert.equal(made.config("seller").prompt, "{{ compute_2 }}");
    assert.equal(imported(fixture("chat-handler.ts")).config("classify").prompt, "{{ question }}");
  });

  it("that run side by side run one after the other", () => {
    const { edges, config, codes } = imported(fixture("parallel.py"));
    assert.deepEqual(edges, ["start>spanish", "spanish>spanish_2", "spanish_2>picker"]);
    assert.equal(config("picker").prompt, "Input: {{ question }}\n\nTranslations:\n{{ spanish }}\n\n{{ spanish_2 }}");
    assert.deepEqual(codes, []);
  });

  it("may judge each other until one is content", () => {
    const { edges, config, codes } = imported(fixture("judge-loop.ts"));
    assert.deepEqual(edges.slice(2), ["story_outline_generator>evaluator", "evaluator>if_else", "if_else:else>loop"]);
    assert.equal(config("evaluator").prompt, "");
    assert.deepEqual(codes, ["warning agent-builder-message-left-out", "warning agent-builder-while-unverified"]);
    const { flow, codes: refused } = imported(fixture("mcp-script.py"));
    assert.ok(refused.includes("error agent-builder-connector"));
    assert.ok(!JSON.stringify(flow).includes("mark-of-a-secret"));
  });

  it("that ask for the next message are one turn of a chat", () => {
    const { edges, codes, config } = imported(fixture("terminal-chat.py"));
    assert.deepEqual(edges, ["start>test", "test>if_else", "if_else:else>guide"]);
    assert.deepEqual(codes, ["warning agent-builder-chat-loop"]);
    assert.equal(config("guide").prompt, undefined);
  });

  it("that mean nothing here are named with their lines", () => {
    const { findings } = imported(fixture("early-returns.ts"));
    const lines = findings.filter(({ code }) => code === "agent-builder-code-unknown").map(({ message }) => message);
    assert.deepEqual(
      lines.map((text) => text.split(":")[0]),
      ["Lines 19 to 21 of the program", "Line 27 of the program"],
    );
    const broken = imported(workflow(`${judged} if (mystery(judgeResult)) { return judgeResult; }`));
    assert.match(broken.findings.find(({ level }) => level === "error")?.message ?? "", /computes a test \(line 11\)/);
    assert.ok(broken.shape.includes("judge llm"));
  });
});

describe("tests of a program", () => {
  const branchOf = (test: string) => {
    const { config, shape } = imported(workflow(`${judged} if (${test}) { return { a: "yes" }; } return { a: "no" };`));
    const branches = config("if_else").branches as { conditions: unknown[] }[] | undefined;
    return { ways: branches?.map(({ conditions }) => conditions), computes: shape.includes("test custom-function") };
  };
  const path = (name: string) => `{{ judge.output.${name} }}`;

  it("are compared by the condition where it can", () => {
    const parsed = "judgeResult.output_parsed";
    const cases: [string, unknown[][]][] = [
      [`${parsed}.ok`, [[{ type: "boolean", left: path("ok"), operation: "equal", right: true }]]],
      [`!${parsed}.ok`, [[{ type: "boolean", left: path("ok"), operation: "not-equal", right: true }]]],
      [`3 < ${parsed}.score`, [[{ type: "number", left: path("score"), operation: "larger", right: 3 }]]],
      [`${parsed}.word === "a"`, [[{ type: "string", left: path("word"), operation: "equal", right: "a" }]]],
      [`${parsed}.word == null`, [[{ type: "string", left: path("word"), operation: "is-empty", right: "" }]]],
      [`${parsed}.tags.includes("x")`, [[{ type: "array", left: path("tags"), operation: "contains", right: "x" }]]],
      [
        `["a", "b"].includes(${parsed}.word)`,
        ["a", "b"].map((right) => [{ type: "string", left: path("word"), operation: "equal", right }]),
      ],
      [
        `!(${parsed}.ok || ${parsed}.score >= 1)`,
        [
          [
            { type: "boolean", left: path("ok"), operation: "not-equal", right: true },
            { type: "number", left: path("score"), operation: "smaller", right: 1 },
          ],
        ],
      ],
    ];
    for (const [test, ways] of cases) assert.deepEqual(branchOf(test), { ways, computes: false }, test);
  });

  it("are computed where it cannot", () => {
    const parsed = "judgeResult.output_parsed";
    const tests = [
      `${parsed}.tags.length > 1`,
      `${parsed}.word.toLowerCase() == "a"`,
      `/^a/i.test(${parsed}.word)`,
      `${parsed}.score + 1 == 2`,
      `${parsed}.word == "{{ question }}"`,
    ];
    for (const test of tests) assert.equal(branchOf(test).computes, true, test);
  });
});
