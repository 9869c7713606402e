import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { Tool, ToolReference } from "@weft/engine/ports/tool";
import type { JsonObject } from "@weft/schema";
import { type ClassicTestNode, classicFlow, nameOf, ref } from "../testing/classic-file.ts";
import { codesOf, nodeOf } from "../testing/foreign-file.ts";
import { closeSandbox, compileClassic, runClassic } from "../testing/run-classic.ts";

const model: ClassicTestNode = { id: "chatOpenAI_0" };
const memory: ClassicTestNode = { id: "bufferMemory_0" };
const history = [
  { role: "userMessage", content: "I am Ada" },
  { role: "apiMessage", content: "Hi Ada" },
] as const;

function agent(id: string, inputs: JsonObject, ...more: ClassicTestNode[]): JsonObject {
  const wired = { model: ref("chatOpenAI_0"), memory: ref("bufferMemory_0"), ...inputs };
  return classicFlow([model, memory, ...more, { id, inputs: wired }]);
}

const configOf = (document: JsonObject, id: string) => nodeOf(compileClassic(document).flow, id).config;
const codes = (document: JsonObject) => codesOf(compileClassic(document).findings);

/** A tool of any integration that answers with its arguments. */
function echo({ type }: ToolReference): Tool[] {
  const call = async (args: JsonObject) => ({ content: JSON.stringify(args) });
  const name = type.replaceAll("-", "_");
  return [{ name, description: "", parameters: { type: "object" }, kind: "read", effect: "read", call }];
}

after(closeSandbox);

describe("agents", () => {
  it("call their tools until they can answer", async () => {
    const document = agent(
      "toolAgent_0",
      { tools: [ref("calculator_0"), ref("calculator_0")], systemMessage: "Be {kind}." },
      {
        id: "calculator_0",
      },
    );
    const { text, said, calls } = await runClassic(document, {
      script: [{ toolCalls: [{ name: "calculator", arguments: { expression: "6*7" } }] }, { text: "It is 42." }],
      tools: echo,
      history: [...history],
    });
    assert.equal(text, "It is 42.");
    assert.deepEqual(said[0], ["system: Be {kind}.", "user: I am Ada", "assistant: Hi Ada", "user: hello"]);
    assert.equal(calls[0]?.tools?.length, 1);
  });

  it("go on after a tool that fails, and end after their rounds", async () => {
    const document = agent("toolAgent_0", { tools: [ref("calculator_0")], maxIterations: "2" }, { id: "calculator_0" });
    const call = { toolCalls: [{ name: "calculator", arguments: {} }] };
    const failing = (reference: ToolReference) =>
      echo(reference).map((tool) => ({ ...tool, call: async () => ({ content: "broken", isError: true }) }));
    const { text, calls } = await runClassic(document, {
      script: [call, call, { text: "I give up." }],
      tools: failing,
    });
    assert.equal(text, "I give up.");
    assert.equal(calls.length, 3);
    assert.equal(configOf(agent("toolAgent_0", {}), "toolAgent_0").maxRounds, 15);
    assert.equal(configOf(agent("toolAgent_0", { maxIterations: 900 }), "toolAgent_0").maxRounds, 100);
  });

  it("run under every name that there was for them", async () => {
    const names = [
      ...["toolAgent", "openAIToolAgent", "openAIFunctionAgent", "openAIFunctionsAgent", "mistralAIToolAgent"],
      ...["mistralAIFunctionAgent", "openAIToolAgentLlamaIndex", "anthropicAgentLlamaIndex", "conversationalAgent"],
      ...["reactAgentChat", "reactAgentLLM", "mrklAgentChat", "mrlkAgentChat", "mrklAgentLLM", "mrlkAgentLLM"],
      ...["xmlAgent", "agentExecutor", "conversationalRetrievalAgent"],
    ];
    for (const name of names) {
      const isPlain = /LLM$/.test(name);
      const node: ClassicTestNode = {
        id: `${name}_0`,
        inputs: { model: ref("chatOpenAI_0"), ...(isPlain ? {} : { memory: ref("bufferMemory_0") }) },
        data: { category: "Agents" },
      };
      const document = classicFlow([model, ...(isPlain ? [] : [memory]), node]);
      const { text, said } = await runClassic(document, { script: [{ text: "ok" }], history: [...history] });
      assert.equal(text, "ok", name);
      assert.equal(said[0]?.includes("user: I am Ada"), !isPlain, name);
    }
  });

  it("take a prompt: all but its last message, the history, its last message", async () => {
    const prompt = {
      systemMessagePrompt: "Speak {language}.",
      humanMessagePrompt: "<{input}>",
      promptValues: { language: "Welsh" },
    };
    const document = agent(
      "toolAgent_0",
      { chatPromptTemplate: ref("chatPromptTemplate_0"), systemMessage: "unused" },
      { id: "chatPromptTemplate_0", inputs: prompt },
    );
    const { said } = await runClassic(document, { history: [...history] });
    assert.deepEqual(said, [["system: Speak Welsh.", "user: I am Ada", "assistant: Hi Ada", "user: <hello>"]]);
  });

  it("leave out the words about a protocol that is not spoken", () => {
    const systemMessage =
      "You are kind to {people}.\n\nTools:\n\n{tools}\n\nUse <tool></tool> to call.\n\nEarlier:\n{chat_history}\n\nQ: {input}\n{agent_scratchpad}";
    assert.deepEqual(configOf(agent("xmlAgent_0", { systemMessage }), "xmlAgent_0").messages, [
      { role: "system", content: "You are kind to {people}." },
    ]);
  });

  it("are asked without earlier messages where no memory is wired", () => {
    const document = classicFlow([model, { id: "toolAgent_0", inputs: { model: ref("chatOpenAI_0") } }]);
    assert.deepEqual(codes(document), ["warning memory-missing"]);
  });

  it("look into a store before they begin, with what the conversation makes of the question", async () => {
    const document = agent(
      "conversationalRetrievalToolAgent_0",
      {
        vectorStoreRetriever: ref("documentStoreVS_0"),
        tools: [ref("calculator_0")],
        systemMessage: "Know: {context}",
        rephraseModel: ref("chatOllama_0"),
      },
      { id: "documentStoreVS_0", inputs: { selectedStore: "store-1" } },
      { id: "calculator_0" },
      { id: "chatOllama_0", inputs: { modelName: "small" } },
    );
    const later = await runClassic(document, {
      script: [{ text: "standalone" }, { text: "done" }],
      documents: [{ pageContent: "A {{ question }} passage", metadata: {} }],
      history: [...history],
      tools: echo,
    });
    assert.equal(later.text, "done");
    assert.deepEqual(later.searches, [{ storeId: "store-1", query: "standalone" }]);
    assert.equal(later.said[1]?.[0], "system: Know: A {{ question }} passage");
    const first = await runClassic(document, { script: [{ text: "done" }], tools: echo });
    assert.deepEqual(
      first.searches.map(({ query }) => query),
      ["hello"],
    );
  });

  it("ask the assistant of the same id", async () => {
    const document = classicFlow([{ id: "openAIAssistant_0", inputs: { selectedAssistant: "a-1" } }]);
    const asked: string[] = [];
    const { text } = await runClassic(document, {
      findings: ["warning assistant-here"],
      services: {
        childRuns: {
          async run({ agentId }) {
            asked.push(agentId);
            return { runId: "r", text: "from there" };
          },
        },
      },
    });
    assert.deepEqual([text, asked], ["from there", ["a-1"]]);
    assert.deepEqual(codes(classicFlow([{ id: "openAIAssistant_0" }])), ["error assistant-missing"]);
  });
});

describe("tools of agents", () => {
  const withTool = (tool: ClassicTestNode, ...more: ClassicTestNode[]) =>
    agent("toolAgent_0", { tools: [ref(tool.id)] }, tool, ...more);

  it("become integrations", () => {
    const tools: [ClassicTestNode, JsonObject][] = [
      [{ id: "currentDateTime_0" }, { type: "current-date-time", config: {} }],
      [
        { id: "customTool_0", inputs: { selectedTool: "t-1" } },
        { type: "custom-tool", config: { toolId: "t-1" } },
      ],
      [
        {
          id: "agentAsTool_0",
          inputs: { selectedAgentflow: "a-1", name: "Ask", description: "d", returnDirect: true },
        },
        { type: "agent", config: { agentId: "a-1", name: "Ask", description: "d", returnDirect: true } },
      ],
      [
        { id: "ChatflowTool_0", inputs: { selectedChatflow: "a-2" } },
        { type: "agent", config: { agentId: "a-2" } },
      ],
      [
        { id: "serper_0", data: { credential: "c-1" } },
        { type: "web-search", config: { provider: "serper", credential: "c-1" } },
      ],
      [
        { id: "requestsGet_0", inputs: { requestsGetUrl: "https://a.example/{{$vars.x}}" } },
        { type: "request-get", config: { url: "https://a.example/{{ $vars.x }}" } },
      ],
    ];
    for (const [tool, expected] of tools) {
      assert.deepEqual(configOf(withTool(tool), "toolAgent_0").tools, [expected], tool.id);
      assert.deepEqual(codes(withTool(tool)), [], tool.id);
    }
  });

  it("search stores under the name that the model knows", async () => {
    const tool: ClassicTestNode = {
      id: "retrieverTool_0",
      inputs: {
        name: "Search Apple!",
        description: "About Apple",
        retriever: ref("documentStoreVS_0"),
        returnSourceDocuments: true,
      },
    };
    const store = { id: "documentStoreVS_0", inputs: { selectedStore: "store-1:Apple" } };
    const { events, searches } = await runClassic(withTool(tool, store), {
      script: [{ toolCalls: [{ name: "search_apple", arguments: { query: "profit" } }] }, { text: "Much." }],
      documents: [{ pageContent: "p", metadata: {} }],
    });
    assert.deepEqual(searches, [{ storeId: "store-1", query: "profit" }]);
    assert.match(JSON.stringify(events), /"sourceDocuments":\[\{"pageContent":"p"/);
  });

  it("search stores for the values that metadata must equal", async () => {
    const filtered = (retrieverToolMetadataFilter: string) => {
      const inputs = { name: "apple", retriever: ref("documentStoreVS_0"), retrieverToolMetadataFilter };
      const store = { id: "documentStoreVS_0", inputs: { selectedStore: "store-1" } };
      return withTool({ id: "retrieverTool_0", inputs }, store);
    };
    const { searches } = await runClassic(filtered('{"year":2020}'), {
      script: [{ toolCalls: [{ name: "apple", arguments: { query: "profit" } }] }, { text: "Much." }],
      documents: [],
    });
    assert.deepEqual(searches, [{ storeId: "store-1", query: "profit", filter: { year: 2020 } }]);
    assert.deepEqual(codes(filtered('{"year":{"$in":[1]}}')), []);
    assert.deepEqual(codes(filtered('{"year":{"$near":1}}')), ["error store-filter"]);
  });

  it("that ask a chain run once it is an agent that somebody chose", async () => {
    const chain: ClassicTestNode = { id: "conversationChain_0", inputs: { model: ref("chatOpenAI_0") } };
    const tool = {
      id: "chainTool_0",
      inputs: { name: "Poet", description: "Rhymes", returnDirect: true, baseChain: ref("conversationChain_0") },
    };
    const { text } = await runClassic(withTool(tool, chain), {
      findings: ["error tool-chain"],
      choose: (flow) => {
        nodeOf(flow, "toolAgent_0").config.tools = [{ type: "agent", config: { agentId: "a-1", name: "Poet" } }];
      },
      script: [{ toolCalls: [{ name: "agent", arguments: {} }] }, { text: "rhymed" }],
      tools: echo,
    });
    assert.equal(text, "rhymed");
    assert.deepEqual(configOf(withTool(tool, chain), "toolAgent_0").tools, [
      { type: "agent", config: { agentId: "", name: "Poet", description: "Rhymes", returnDirect: true } },
    ]);
  });

  it("without an equivalent are refused with advice", () => {
    for (const id of ["wolframAlpha_0", "awsSNS_0"])
      assert.deepEqual(codes(withTool({ id })), ["error tool-unsupported"]);
    assert.equal(nameOf("wolframAlpha_0"), "wolframAlpha");
  });
});
