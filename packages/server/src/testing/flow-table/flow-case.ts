/** A step: its type, and the node in whose sub-flow it is. */
export type CaseNode = { type: string; config?: object; within?: string };

/** A flow without its start node, which is `start`; edges as in `start>a a:left>b`. */
export type CaseFlow = { start?: object; nodes: Record<string, CaseNode>; edges: string };

/** What a person says to each question, in order; `which`: to the question of that place among the open ones. */
export type CaseAnswer = { type: "proceed" | "reject"; feedback?: string; which?: number };

export type FlowCase = CaseFlow & {
  name: string;
  /** Body of the prediction. Default: the question `hi`. */
  ask?: object;
  /** Questions to the same chat before it. */
  before?: readonly string[];
  answers?: readonly CaseAnswer[];
  /** Agents that the flow calls, by the names that its text has for their ids: `{agent:name}`. */
  agents?: Record<string, CaseFlow>;
  /** Text of the answer, or of the error. */
  text: string | RegExp;
  json?: unknown;
  /** Default FINISHED. */
  state?: "FINISHED" | "ERROR";
  /** Ids of the steps in the order in which they began. */
  steps: string;
  /** Calls that reached the API, by path. */
  calls?: Record<string, number>;
};

/** A step that says a text, and updates the state. */
export function say(message: string, state: Record<string, string> = {}, within?: string): CaseNode {
  return inside({ type: "direct-reply", config: { message, updateState: updates(state) } }, within);
}

/** A step of JavaScript, which is no reply. */
export function code(text: string, state: Record<string, string> = {}, within?: string): CaseNode {
  return inside({ type: "custom-function", config: { code: text, updateState: updates(state) } }, within);
}

/** A call of the test's API. */
export function call(path: string, config: object = {}, within?: string): CaseNode {
  return inside({ type: "http", config: { url: `{api}${path}`, responseType: "text", ...config } }, within);
}

export function model(prompt: string, config: object = {}, within?: string): CaseNode {
  return inside({ type: "llm", config: { prompt, memory: { type: "off" }, ...config } }, within);
}

/** Takes the first branch whose left side is its right one. */
export function when(branches: Record<string, [left: string, right: string]>, within?: string): CaseNode {
  const list = Object.entries(branches).map(([id, [left, right]]) => ({
    id,
    conditions: [{ type: "string", left, operation: "equal", right }],
  }));
  return inside({ type: "condition", config: { branches: list } }, within);
}

export function loop(target: string, times: number, config: object = {}, within?: string): CaseNode {
  return inside({ type: "loop", config: { target, times, ...config } }, within);
}

export function each(items: string, config: object = {}, within?: string): CaseNode {
  return inside({ type: "iteration", config: { items, ...config } }, within);
}

export function person(question: string, within?: string): CaseNode {
  return inside({ type: "human-input", config: { question } }, within);
}

/** The text of the flow. */
export function toFlowData({ start = {}, nodes, edges }: CaseFlow): string {
  const all: Record<string, CaseNode> = { start: { type: "start", config: start }, ...nodes };
  return JSON.stringify({
    weft: 1,
    nodes: Object.entries(all).map(([id, { type, config = {}, within }]) => ({
      id,
      type,
      label: id,
      config,
      ...(within === undefined ? {} : { parent: within }),
    })),
    edges: edges.split(/\s+/).map((edge, index) => {
      const [from = "", target = ""] = edge.split(">");
      const [source, sourcePort = "out"] = from.split(":");
      return { id: `e${index}`, source, sourcePort, target };
    }),
  });
}

function inside(node: CaseNode, within: string | undefined): CaseNode {
  return within === undefined ? node : { ...node, within };
}

function updates(state: Record<string, string>) {
  return Object.entries(state).map(([key, value]) => ({ key, value }));
}
