import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { JsonObject } from "@weft/schema";
import { type ClassicTestNode, classicFlow, ref } from "../testing/classic-file.ts";
import { codesOf, nodeOf } from "../testing/foreign-file.ts";
import { closeSandbox, compileClassic, runClassic } from "../testing/run-classic.ts";

const model: ClassicTestNode = { id: "chatOpenAI_0", inputs: { modelName: "m", temperature: "0.2" } };
const history = [
  { role: "userMessage", content: "I am Ada" },
  { role: "apiMessage", content: "Hi Ada" },
] as const;

/** A chain with a prompt template. */
function chain(template: string, promptValues: JsonObject | string = "", more: JsonObject = {}): ClassicTestNode[] {
  return [
    model,
    { id: "promptTemplate_0", inputs: { template, promptValues } },
    {
      id: "llmChain_0",
      output: "llmChain",
      inputs: { model: ref("chatOpenAI_0"), prompt: ref("promptTemplate_0"), ...more },
    },
  ];
}

function conversation(inputs: JsonObject, ...more: ClassicTestNode[]) {
  return classicFlow([
    model,
    ...more,
    { id: "conversationChain_0", inputs: { model: ref("chatOpenAI_0"), ...inputs } },
  ]);
}

const promptOf = (document: JsonObject) => nodeOf(compileClassic(document).flow, "llmChain_0").config.prompt;

after(closeSandbox);

describe("llmChain", () => {
  it("asks once, without memory, with the question as the one variable that has no value", async () => {
    const document = classicFlow(
      chain("Name a maker of {product} in {{$vars.city}}.", { history: "{{chat_history}}" }),
    );
    const { text, said, order, calls } = await runClassic(document, {
      script: [{ text: "Socks & Co" }],
      input: { question: "socks {x}" },
      vars: { city: "Ulm" },
      history: [...history],
    });
    assert.equal(text, "Socks & Co");
    assert.deepEqual(said, [["user: Name a maker of socks {x} in Ulm."]]);
    assert.deepEqual(order, ["start", "llmChain_0"]);
    assert.deepEqual(calls[0]?.parameters, { temperature: 0.2 });
  });

  it("takes the values of its variables, and the question only where they name it", async () => {
    const values: [string | JsonObject, string][] = [
      [{ a: "fixed", b: "{{question}}!" }, "fixed hello!"],
      ['{"a": 1, "b": {"c": ["{{question}}"]}}', '1 {"c":["hello"]}'],
      [{ a: "{b}", b: "{{ nobody }}" }, "{b} {{ nobody }}"],
      [{ b: "2" }, "hello 2"],
    ];
    for (const [promptValues, prompt] of values) {
      const findings = JSON.stringify(promptValues).includes("nobody") ? ["warning reference-unknown"] : [];
      const { said } = await runClassic(classicFlow(chain("{a} {b}", promptValues)), { findings });
      assert.deepEqual(said, [[`user: ${prompt}`]]);
    }
  });

  it("is refused where two variables have no value, or there is no prompt", () => {
    const codes = (nodes: ClassicTestNode[]) => codesOf(compileClassic(classicFlow(nodes)).findings);
    assert.deepEqual(codes(chain("{a} {b}")), ["error prompt-values-missing"]);
    assert.deepEqual(codes(chain("{a}", "no JSON")), ["error prompt-values-invalid"]);
    assert.deepEqual(codes(chain("")), ["error prompt-missing"]);
    assert.deepEqual(codes([model, { id: "llmChain_0", inputs: { model: ref("chatOpenAI_0") } }]), [
      "error prompt-missing",
    ]);
  });

  it("takes system and human messages, and examples that are a plain list", async () => {
    const prompt = {
      systemMessagePrompt: "Speak {language}.",
      humanMessagePrompt: "{text}",
      promptValues: '{"language":"French"}',
      messageHistoryCode: '// examples\nreturn [{ "type": "human", "content": "{a}" }, ["ai", "b"]];',
    };
    const nodes = (inputs: JsonObject): ClassicTestNode[] => [
      model,
      { id: "chatPromptTemplate_0", inputs },
      { id: "llmChain_0", inputs: { model: ref("chatOpenAI_0"), prompt: ref("chatPromptTemplate_0") } },
    ];
    const { said } = await runClassic(classicFlow(nodes(prompt)));
    assert.deepEqual(said, [["system: Speak French.", "user: {a}", "assistant: b", "user: hello"]]);
    const messageHistoryCode = `const { AIMessage, HumanMessage } = require('@langchain/core/messages');
return [
  new HumanMessage("{a}"),
  new AIMessage({ content: 'b' }),
]`;
    assert.deepEqual((await runClassic(classicFlow(nodes({ ...prompt, messageHistoryCode })))).said, said);
    const code = { ...prompt, messageHistoryCode: "return load()" };
    assert.deepEqual(codesOf(compileClassic(classicFlow(nodes(code))).findings), ["error prompt-code"]);
  });

  it("words examples as their prompt does", () => {
    const few = {
      examples: '[{"in":"happy","out":"sad"},{"in":"{tall}","out":"short"}]',
      examplePrompt: ref("promptTemplate_1"),
      prefix: "Give the opposite.",
      suffix: "{word}:",
      exampleSeparator: "\n",
    };
    const document = classicFlow([
      model,
      { id: "promptTemplate_1", inputs: { template: "{in}: {out}" } },
      { id: "fewShotPromptTemplate_0", inputs: few },
      { id: "llmChain_0", inputs: { model: ref("chatOpenAI_0"), prompt: ref("fewShotPromptTemplate_0") } },
    ]);
    assert.equal(promptOf(document), "Give the opposite.\nhappy: sad\n{tall}: short\n{{ question }}:");
  });

  it("gives data where a parser is wired to it", async () => {
    const parsers: [ClassicTestNode, string, unknown][] = [
      [
        {
          id: "structuredOutputParser_0",
          inputs: {
            autofixParser: true,
            jsonStructure: [
              { property: "age", type: "number", description: "In years", required: true },
              { property: "born", type: "date", description: "" },
            ],
          },
        },
        '{"age":3}',
        { age: 3 },
      ],
      [
        { id: "advancedStructuredOutputParser_0", inputs: { exampleJson: "z.object({ a: z.string() })" } },
        '{"a":"b"}',
        { a: "b" },
      ],
      [{ id: "csvOutputParser_0", inputs: { autofixParser: true } }, '{"value":["a","b"]}', ["a", "b"]],
      [{ id: "customListOutputParser_0", inputs: { length: "2", separator: "," } }, '["a","b"]', ["a", "b"]],
    ];
    for (const [parser, text, json] of parsers) {
      const document = classicFlow([...chain("{a}", "", { outputParser: ref(parser.id) }), parser]);
      const done = await runClassic(document, { script: [{ text }] });
      assert.deepEqual(done.json, json);
      assert.notEqual(done.calls[0]?.responseSchema, undefined);
    }
  });

  it("take the question where a prompt leaves one variable beside the parser's instructions", async () => {
    const parser = {
      id: "structuredOutputParser_0",
      inputs: { jsonStructure: [{ property: "title", type: "string" }] },
    };
    for (const variable of ["input", "question", "product"]) {
      const template = `Describe {${variable}}.\n{format_instructions}`;
      const document = classicFlow([...chain(template, "", { outputParser: ref(parser.id) }), parser]);
      const { said, json, calls } = await runClassic(document, { script: [{ text: '{"title":"Tea"}' }] });
      assert.deepEqual(said, [["user: Describe hello.\n"]]);
      assert.deepEqual(json, { title: "Tea" });
      assert.notEqual(calls[0]?.responseSchema, undefined);
    }
  });

  it("refuses a schema that it cannot read, and a parser that it does not know", () => {
    const codes = (parser: ClassicTestNode) =>
      codesOf(compileClassic(classicFlow([...chain("{a}", "", { outputParser: ref(parser.id) }), parser])).findings);
    assert.deepEqual(codes({ id: "advancedStructuredOutputParser_0", inputs: { exampleJson: "z.any().x()" } }), [
      "error parser-schema",
    ]);
    assert.deepEqual(codes({ id: "customListOutputParser_0", inputs: { separator: ";" } }), [
      "warning parser-separator",
    ]);
    assert.deepEqual(codes({ id: "xmlOutputParser_0" }), ["error parser-unsupported"]);
  });

  it("hands its text, or parts of its data, to later prompts", async () => {
    const first: ClassicTestNode = {
      id: "llmChain_1",
      output: "outputPrediction",
      label: "First",
      inputs: {
        model: ref("chatOpenAI_0"),
        prompt: ref("promptTemplate_1"),
        outputParser: ref("structuredOutputParser_0"),
      },
    };
    const document = classicFlow([
      ...chain("{all} / {part} / {q}", {
        all: ref("llmChain_1"),
        part: `<${ref("llmChain_1", ".city")}>`,
        q: "{{question}}",
      }),
      { id: "promptTemplate_1", inputs: { template: "Where is {it}?" } },
      { id: "structuredOutputParser_0", inputs: { jsonStructure: [{ property: "city", type: "string" }] } },
      first,
    ]);
    const { said, order, text } = await runClassic(document, {
      script: [{ text: '{"city":"{{ question }}"}' }, { text: "done" }],
    });
    assert.deepEqual(order, ["start", "llmChain_1", "llmChain_0"]);
    assert.deepEqual(said, [["user: Where is hello?"], ['user: {"city":"{{ question }}"} / <{{ question }}> / hello']]);
    assert.equal(text, "done");
  });

  it("answers also where it was to give its text to nobody", async () => {
    const nodes = chain("{a}").map((node) =>
      node.id === "llmChain_0" ? { ...node, output: "outputPrediction" } : node,
    );
    assert.equal((await runClassic(classicFlow(nodes), { script: [{ text: "x" }] })).text, "x");
  });
});

describe("conversationChain", () => {
  it("remembers what its memory remembers", async () => {
    const memories: [ClassicTestNode, JsonObject][] = [
      [{ id: "bufferMemory_0", inputs: { memoryKey: "chat_history", sessionId: "" } }, { type: "all" }],
      [
        { id: "bufferWindowMemory_0", inputs: { k: "3" } },
        { type: "window", size: 6 },
      ],
      [{ id: "bufferWindowMemory_0" }, { type: "window", size: 8 }],
      [{ id: "bufferWindowMemory_0", inputs: { k: 0 } }, { type: "off" }],
      [{ id: "conversationSummaryMemory_0" }, { type: "summary", maxTokens: 0 }],
      [
        { id: "conversationSummaryBufferMemory_0", inputs: { maxTokenLimit: "50" } },
        { type: "summary", maxTokens: 50 },
      ],
    ];
    for (const [memory, expected] of memories) {
      const document = conversation({ memory: ref(memory.id), systemMessagePrompt: "Be {kind}." }, memory);
      const { flow, findings } = compileClassic(document);
      assert.deepEqual(findings, []);
      assert.deepEqual(nodeOf(flow, "conversationChain_0").config.memory, expected);
    }
    const memory = { id: "bufferMemory_0" };
    const { said } = await runClassic(
      conversation({ memory: ref("bufferMemory_0"), systemMessagePrompt: "Be {kind} to {input}." }, memory),
      {
        history: [...history],
      },
    );
    assert.deepEqual(said, [["system: Be {kind} to hello.", "user: I am Ada", "assistant: Hi Ada", "user: hello"]]);
  });

  it("says what its memory does otherwise", () => {
    const codes = (memory: ClassicTestNode, ...more: ClassicTestNode[]) =>
      codesOf(compileClassic(conversation({ memory: ref(memory.id) }, memory, ...more)).findings);
    assert.deepEqual(codes({ id: "RedisBackedChatMemory_0", inputs: { windowSize: 4, sessionTTL: 60 } }), [
      "warning memory-store",
      "warning settings-ignored",
    ]);
    assert.deepEqual(codes({ id: "bufferMemory_0", inputs: { sessionId: "s", memoryKey: "k" } }), [
      "warning memory-session",
      "warning memory-key",
    ]);
    assert.deepEqual(
      codes({ id: "conversationSummaryMemory_0", inputs: { model: ref("chatOllama_0") } }, { id: "chatOllama_0" }),
      ["warning memory-model"],
    );
    assert.deepEqual(codesOf(compileClassic(conversation({})).findings), ["warning memory-missing"]);
  });

  it("takes the first and the last message of a prompt, and needs {input} in it", async () => {
    const prompt = (humanMessagePrompt: string): ClassicTestNode => ({
      id: "chatPromptTemplate_0",
      inputs: { systemMessagePrompt: "You are {name}.", humanMessagePrompt, promptValues: { name: "Bo" } },
    });
    const inputs = { memory: ref("bufferMemory_0"), chatPromptTemplate: ref("chatPromptTemplate_0") };
    const document = (human: string) => conversation(inputs, prompt(human), { id: "bufferMemory_0" });
    const { said } = await runClassic(document("Say: {input}"));
    assert.deepEqual(said, [["system: You are Bo.", "user: Say: hello"]]);
    assert.deepEqual(codesOf(compileClassic(document("Say it")).findings), ["warning prompt-without-question"]);
  });
});
