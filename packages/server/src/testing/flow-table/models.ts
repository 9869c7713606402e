import { code, type FlowCase, model, say } from "./flow-case.ts";

const remembering = (memory: object) => model("all", { memory });
const parrot = (name: string): FlowCase["agents"] => ({
  [name]: { nodes: { a: say("parrot {{ question }}") }, edges: "start>a" },
});
const asks = (agentId: string, input = "{{ question }}") => ({ type: "execute-flow", config: { agentId, input } });

/** Models, tools, state, memory, other flows. */
export const modelCases: readonly FlowCase[] = [
  { name: "a model answers", nodes: { a: model("{{ question }}!") }, edges: "start>a", text: "hi!", steps: "start a" },
  {
    name: "a model after a model",
    nodes: { a: model("one"), b: model("{{ a }} two") },
    edges: "start>a a>b",
    text: "one two",
    steps: "start a b",
  },
  {
    name: "an agent calls a tool",
    nodes: {
      a: { type: "agent", config: { prompt: 'call calculator {"expression":"2+3"}', tools: [{ type: "calculator" }] } },
    },
    edges: "start>a",
    text: "Tool said: 5",
    steps: "start a",
  },
  {
    name: "an agent hears what was wrong with a call",
    nodes: {
      a: { type: "agent", config: { prompt: 'call calculator {"sum":"2+3"}', tools: [{ type: "calculator" }] } },
    },
    edges: "start>a",
    text: /^Tool said: .*expression/s,
    steps: "start a",
  },
  {
    name: "a tool without a model",
    nodes: {
      a: {
        type: "tool",
        config: {
          tool: { type: "calculator", config: {} },
          arguments: [{ name: "expression", value: "{{ question }}" }],
        },
      },
      b: say("= {{ a }}"),
    },
    edges: "start>a a>b",
    ask: { question: "6*7" },
    text: "= 42",
    steps: "start a b",
  },
  {
    name: "an answer as data",
    nodes: {
      a: model('{"name":"Ada","age":36}', {
        structuredOutput: [{ name: "name" }, { name: "age", type: "number" }],
      }),
    },
    edges: "start>a",
    text: '{"name":"Ada","age":36}',
    json: { name: "Ada", age: 36 },
    steps: "start a",
  },
  {
    name: "fields of an answer in later steps",
    nodes: {
      a: model('{"name":"Ada"}', { structuredOutput: [{ name: "name" }] }),
      b: say("Dear {{ a.output.name }}"),
    },
    edges: "start>a a>b",
    text: "Dear Ada",
    steps: "start a b",
  },
  {
    name: "an answer that is no such data, twice",
    nodes: { a: model("plain words", { structuredOutput: [{ name: "name" }] }), caught: say("caught") },
    edges: "start>a a:error>caught",
    text: "caught",
    steps: "start a caught",
  },
  {
    name: "a model that fails",
    nodes: { a: model("fail"), caught: say("{{ a.output.error.code }}") },
    edges: "start>a a:error>caught",
    text: "model-invalid-request",
    steps: "start a caught",
  },
  {
    name: "a model picks a scenario",
    nodes: {
      a: {
        type: "condition-agent",
        config: {
          input: '{"scenario":"buy"}',
          scenarios: [
            { id: "sell", description: "Sells" },
            { id: "buy", description: "Buys" },
          ],
        },
      },
      sell: say("sell"),
      buy: say("buy"),
    },
    edges: "start>a a:sell>sell a:buy>buy",
    text: "buy",
    steps: "start a buy",
  },
  {
    name: "a model that picks none",
    nodes: {
      a: { type: "condition-agent", config: { input: "hm", scenarios: [{ id: "sell", description: "Sells" }] } },
      sell: say("sell"),
      other: say("other"),
    },
    edges: "start>a a:sell>sell a:else>other",
    text: "other",
    steps: "start a other",
  },
  {
    name: "memory: all",
    nodes: { a: remembering({ type: "all" }) },
    edges: "start>a",
    before: ["one", "two"],
    ask: { question: "three" },
    text: "one|all|two|one|all|all|all",
    steps: "start a",
  },
  {
    name: "memory: a window",
    nodes: { a: remembering({ type: "window", size: 1 }) },
    edges: "start>a",
    before: ["one"],
    text: "all|all",
    steps: "start a",
  },
  {
    name: "memory: off",
    nodes: { a: remembering({ type: "off" }) },
    edges: "start>a",
    before: ["one"],
    text: "all",
    steps: "start a",
  },
  {
    name: "a flow that forgets its session",
    start: { ephemeralMemory: true },
    nodes: { a: remembering({ type: "all" }) },
    edges: "start>a",
    before: ["one"],
    text: "all",
    steps: "start a",
  },
  {
    name: "later models hear earlier ones",
    nodes: { a: model("one"), b: remembering({ type: "all" }) },
    edges: "start>a a>b",
    text: "one|one|all",
    steps: "start a b",
  },
  {
    name: "history of the request in place of the memory",
    nodes: { a: remembering({ type: "all" }) },
    edges: "start>a",
    before: ["stored"],
    ask: { question: "now", history: [{ role: "userMessage", content: "given" }] },
    text: "given|all",
    steps: "start a",
  },
  {
    name: "state is updated and read",
    start: { state: { who: "nobody" } },
    nodes: { a: say("{{ $flow.state.who }}", { who: "{{ question }}" }), b: say("{{ a }} {{ $flow.state.who }}") },
    edges: "start>a a>b",
    text: "nobody hi",
    steps: "start a b",
  },
  {
    name: "state begins anew with each run",
    start: { state: { n: 0 } },
    nodes: { a: code("return Number($flow.state.n) + 1", { n: "{{ output.data }}" }), b: say("{{ $flow.state.n }}") },
    edges: "start>a a>b",
    before: ["one", "two"],
    text: "1",
    steps: "start a b",
  },
  {
    name: "state that a session keeps",
    start: { state: { n: 0 }, persistState: true },
    nodes: { a: code("return Number($flow.state.n) + 1", { n: "{{ output.data }}" }), b: say("{{ $flow.state.n }}") },
    edges: "start>a a>b",
    before: ["one", "two"],
    text: "3",
    steps: "start a b",
  },
  {
    name: "code with variables of its own",
    nodes: {
      a: {
        type: "custom-function",
        config: {
          variables: [{ name: "who", value: "{{ question }}" }],
          code: "return { hello: $who, vars: $vars.x }",
        },
      },
    },
    edges: "start>a",
    ask: { question: "Ada", overrideConfig: { vars: { x: 7 } } },
    text: '{"hello":"Ada","vars":7}',
    steps: "start a",
  },
  {
    name: "a form with defaults",
    start: {
      input: "form",
      form: {
        fields: [
          { name: "city", required: true },
          { name: "days", type: "number", default: 3 },
        ],
      },
    },
    nodes: { a: say("{{ $form.days }} days in {{ $form.city }}") },
    edges: "start>a",
    ask: { form: { city: "Rome" } },
    text: "3 days in Rome",
    steps: "start a",
  },
  {
    name: "a value is never a template",
    nodes: { a: say("{{ question }}") },
    edges: "start>a",
    ask: { question: "{{ $flow.sessionId }}" },
    text: "{{ $flow.sessionId }}",
    steps: "start a",
  },
  {
    name: "another flow answers",
    nodes: { a: asks("{agent:parrot}", "dear {{ question }}"), b: say("[{{ a }}]") },
    agents: { ...parrot("parrot") },
    edges: "start>a a>b",
    text: "[parrot dear hi]",
    steps: "start a b",
  },
  {
    name: "another flow fails",
    nodes: { a: asks("{agent:broken}"), caught: say("caught") },
    agents: { broken: { nodes: { x: code('throw new Error("no")') }, edges: "start>x" } },
    edges: "start>a a:error>caught",
    text: "caught",
    steps: "start a caught",
  },
  {
    name: "a flow in a flow in a flow",
    nodes: { a: asks("{agent:middle}") },
    agents: {
      ...parrot("parrot"),
      middle: { nodes: { x: asks("{agent:parrot}", "m {{ question }}") }, edges: "start>x" },
    },
    edges: "start>a",
    text: "parrot m hi",
    steps: "start a",
  },
  {
    name: "a flow that asks a person cannot be called",
    nodes: { a: asks("{agent:asker}"), caught: say("{{ a.output.error.code }}") },
    agents: { asker: { nodes: { x: { type: "human-input" } }, edges: "start>x" } },
    edges: "start>a a:error>caught",
    text: "flow-child-waits",
    steps: "start a caught",
  },
];
