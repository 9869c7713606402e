import type { ImportErrorCode, ImportedSecret } from "@weft/dialects/importer";
import type { Json, JsonObject } from "@weft/schema";
import type { Exit, FlowDrawing, NewNode, NodeReport } from "../drawing/index.ts";
import type { AgentFile } from "./agents.ts";
import type { Variables } from "./variables.ts";
import type { WorkflowFacts } from "./workflow-facts.ts";

/** A Foreach that is being drawn: what leaves it, and what goes on with its next item. */
export type OpenLoop = { breaks: Exit[]; continues: Exit[] };

/** A workflow that becomes a flow. */
export type Conversion = {
  readonly drawing: FlowDrawing;
  readonly variables: Variables;
  readonly facts: WorkflowFacts;
  readonly agents: ReadonlyMap<string, AgentFile>;
  /** The agents that have been drawn. */
  readonly called: Set<AgentFile>;
  /** Secrets by what they are, so that each is kept once. */
  readonly kept: Map<string, ImportedSecret>;
  /** The Foreach actions around, the innermost last. */
  readonly loops: OpenLoop[];
  /** Exits that go to an action that stands further down. */
  readonly forward: Map<string, Exit[]>;
  /** Jumps to actions further down, by what jumps and the id of the action. */
  readonly jumps: { step: Step; target: string; from: readonly Exit[] }[];
  /** The first node of each action that has been drawn. */
  readonly entries: Map<string, string>;
  /** Kinds of the actions that have been drawn, by their ids, in lower case. */
  readonly passed: Map<string, string>;
  /** Ids of the actions that are being drawn or have been. */
  readonly begun: Set<string>;
  /** Whether a node leads to one of the exits, so that an edge from there would be a circle. */
  leads(target: string, from: readonly Exit[]): boolean;
  /** Draws a list of actions behind the exits and returns what goes on after it. */
  list(actions: readonly Json[], from: readonly Exit[]): Exit[];
};

/** One action that becomes nodes. */
export type Step = {
  readonly flow: Conversion;
  readonly action: JsonObject;
  readonly id: string;
  readonly kind: string;
  /** Adds a node behind the exits. `part` is put behind the action's id; empty: the action's main node. */
  add(node: Omit<NewNode, "id" | "label"> & { part?: string; label?: string }, from?: readonly Exit[]): string;
  warn(code: string, text: string, nodeId?: string): void;
  refuse(code: ImportErrorCode, text: string, nodeId?: string): void;
  /** Tells what still waits for a node, without one. */
  flush(): void;
};

/** Draws one action behind the exits, and returns what goes on after it. */
export type ConvertAction = (step: Step, from: readonly Exit[]) => Exit[];

/** An output of every step that only computes or decides: its text is never shown. */
export const silent = { reply: "never" } as const;

/** What a report says before its action has a node waits for the first one, so that it stands there. */
export function createStep(
  flow: Conversion,
  action: JsonObject,
  { id, kind, label }: { id: string; kind: string; label: string },
): Step {
  const waiting: (() => void)[] = [];
  const report = (text: string, nodeId: string | undefined, tell: (at: NodeReport, text: string) => void) => {
    const say = () => {
      const place = nodeId ?? flow.entries.get(id) ?? null;
      const isNamed = place !== null && flow.drawing.node(place).label.startsWith(id);
      tell(flow.drawing.report(place), isNamed ? text : `Action ${id} (${kind}): ${text}`);
    };
    if (nodeId !== undefined || flow.entries.has(id)) say();
    else waiting.push(say);
  };
  const flush = () => {
    for (const say of waiting.splice(0)) say();
  };
  return {
    flow,
    action,
    id,
    kind,
    add({ part = "", label: partLabel, ...node }, from) {
      const name = part === "" ? label : `${label}: ${part.replaceAll("_", " ")}`;
      const nodeId = flow.drawing.add(
        { ...node, id: part === "" ? nodeIdOf(id) : `${id}_${part}`, label: partLabel ?? name },
        from,
      );
      if (!flow.entries.has(id)) flow.entries.set(id, nodeId);
      flush();
      return nodeId;
    },
    warn: (code, text, nodeId) => report(text, nodeId, (at, said) => at.warn(code, said)),
    refuse: (code, text, nodeId) => report(text, nodeId, (at, said) => at.refuse(code, said)),
    flush,
  };
}

/** An id that no object has by itself, such as `constructor`: ids are keys of the objects that lay a flow out. */
function nodeIdOf(id: string): string {
  return id in {} ? `${id}_step` : id;
}
