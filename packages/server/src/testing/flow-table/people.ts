import { each, type FlowCase, loop, person, say } from "./flow-case.ts";

const yes = { type: "proceed" } as const;
const no = { type: "reject" } as const;
const careful = {
  type: "agent",
  config: {
    prompt: 'call calculator {"expression":"6*7"}',
    tools: [{ type: "calculator", config: {}, requiresApproval: true }],
  },
};

/** Questions to people: in branches, in items, again and again. */
export const peopleCases: readonly FlowCase[] = [
  {
    name: "a person says yes",
    nodes: { ask: person("Well?"), a: say("A"), b: say("B") },
    edges: "start>ask ask:proceed>a ask:reject>b",
    answers: [yes],
    text: "A",
    steps: "start ask a",
  },
  {
    name: "a person says no",
    nodes: { ask: person("Well?"), a: say("A"), b: say("B") },
    edges: "start>ask ask:proceed>a ask:reject>b",
    answers: [no],
    text: "B",
    steps: "start ask b",
  },
  {
    name: "a person says more",
    nodes: { ask: person("Well?"), a: say("{{ ask.output.decision }}: {{ ask }}") },
    edges: "start>ask ask:proceed>a",
    answers: [{ ...yes, feedback: "in green" }],
    text: "proceed: in green",
    steps: "start ask a",
  },
  {
    name: "a question that nothing follows answers with what was said",
    nodes: { ask: person("Well?") },
    edges: "start>ask",
    answers: [{ ...no, feedback: "Never." }],
    text: "Never.",
    steps: "start ask",
  },
  {
    name: "another way is done while a person thinks",
    nodes: { ask: person("Well?"), other: say("other"), end: say("{{ other }} {{ ask }}") },
    edges: "start>ask start>other ask:proceed>end other>end",
    answers: [yes],
    text: "other proceed",
    steps: "start ask other end",
  },
  {
    name: "two questions one behind the other",
    nodes: { first: person("1?"), second: person("2 after {{ first }}?"), end: say("{{ first }}{{ second }}") },
    edges: "start>first first:proceed>second second:reject>end",
    answers: [
      { ...yes, feedback: "a" },
      { ...no, feedback: "b" },
    ],
    text: "ab",
    steps: "start first second end",
  },
  {
    name: "two questions at once, the first one first",
    nodes: { left: person("L?"), right: person("R?"), end: say("{{ left }}{{ right }}") },
    edges: "start>left start>right left:proceed>end right:proceed>end",
    answers: [
      { ...yes, feedback: "l", which: 0 },
      { ...yes, feedback: "r" },
    ],
    text: "lr",
    steps: "start left right end",
  },
  {
    name: "a no goes back, a yes goes on",
    nodes: {
      draft: say("draft {{ loop_count }}"),
      ask: person("{{ draft }}?"),
      again: loop("draft", 5),
      end: say("{{ draft }}"),
    },
    edges: "start>draft draft>ask ask:reject>again ask:proceed>end",
    answers: [no, no, yes],
    text: "draft 2",
    steps: "start draft ask again draft ask again draft ask end",
  },
  {
    name: "a question in each item, one after the other",
    nodes: { each: each('["a","b"]'), ask: person("{{ $iteration }}?", "each"), end: say("{{ each }}") },
    edges: "start>each each>end",
    answers: [
      { ...yes, feedback: "1" },
      { ...no, feedback: "2" },
    ],
    text: "1\n2",
    steps: "start each ask ask end",
  },
  {
    name: "questions in items at once, answered the other way round",
    nodes: {
      each: each('["a","b"]', { concurrency: 2 }),
      ask: person("{{ $iteration }}?", "each"),
      end: say("{{ each }}"),
    },
    edges: "start>each each>end",
    answers: [
      { ...yes, feedback: "second", which: 1 },
      { ...yes, feedback: "first" },
    ],
    text: "first\nsecond",
    steps: "start each ask ask end",
  },
  {
    name: "a call that a person allows",
    nodes: { a: careful },
    edges: "start>a",
    answers: [yes],
    text: "Tool said: 42",
    steps: "start a",
  },
  {
    name: "a call that a person forbids",
    nodes: { a: careful },
    edges: "start>a",
    answers: [{ ...no, feedback: "Too costly." }],
    text: /did not allow this call of calculator.*Too costly\./,
    steps: "start a",
  },
];
