import type { JsonObject } from "@weft/schema";
import {
  type ClassicNode,
  type ClassicScope,
  type Conversion,
  createScope,
  type Exit,
} from "../flowise-classic/index.ts";
import type { Sequence, Wire } from "./sequence.ts";
import type { ValuePlaces } from "./values.ts";

/** How a value joins what the state has: it takes its place, or goes to the end of a list. */
type StateReducers = ReadonlyMap<string, "replace" | "append">;

/** The conversion of one sequential graph. */
export type Plan = {
  readonly conversion: Conversion;
  readonly sequence: Sequence;
  readonly start: ClassicNode;
  /** Native ids of the steps, by the id of the component. */
  readonly stepIds: ReadonlyMap<string, string>;
  /** How values join the state, by name. */
  readonly reducers: StateReducers;
};

/** An output of a drawn step, and which ways leave from it. Absent: all of them. */
export type Way = Exit & { takes?: (wire: Wire) => boolean };

export type DrawnStep = {
  ways: readonly Way[];
  /** Whether its text is what the run says, where nothing follows. */
  answers: boolean;
};

export type StepScope = ClassicScope & {
  readonly plan: Plan;
  /** Where the step begins. */
  readonly from: readonly Exit[];
  readonly title: string;
};

/** A component that is a step of its own. */
export type StepConverter = { draw(scope: StepScope): DrawnStep };

/** Adds the step that has the component's own id. */
export function addStep(scope: StepScope, type: string, config: JsonObject): Exit {
  const { conversion, stepId, title, from } = scope;
  return conversion.draft.add({ id: stepId, type, label: title, config }, from);
}

type Helper = { name: string; label: string; type: string; config: JsonObject; from: readonly Exit[] };

/** Adds a step beside the component's own, under an id that says what it does. */
export function addHelper(scope: StepScope, { name, label, type, config, from }: Helper): Exit {
  const { draft } = scope.conversion;
  const id = draft.reserve(`${scope.stepId}_${name}`);
  return draft.add({ id, type, label: `${label}: ${scope.title}`, config }, from);
}

const speaking = new Set(["seqAgent", "seqLLMNode", "seqToolNode"]);
const speakingByValue = new Set(["seqCustomFunction", "seqExecuteFlow"]);

function speaks({ name, inputs }: ClassicNode): boolean {
  return speaking.has(name) || (speakingByValue.has(name) && inputs.returnValueAs !== "stateObj");
}

/** Whether something is said on every way to a step (`every`), or on one of them (`some`). */
function isSpokenBefore({ sequence }: Plan, node: ClassicNode, which: "every" | "some"): boolean {
  const known = new Map<string, boolean>();
  const check = (id: string): boolean => {
    const step = sequence.graph.nodes.get(id);
    if (step === undefined || step === sequence.start) return false;
    const found = known.get(id) ?? (speaks(step) || before(step));
    known.set(id, found);
    return found;
  };
  const before = (step: ClassicNode): boolean => {
    const sources = sequence.to(step).map(({ source }) => source);
    return sources.length > 0 && (which === "every" ? sources.every(check) : sources.some(check));
  };
  return before(node);
}

const lastSaid = "{{ $flow.runtimeChatHistory[-1].content }}";

/** The last message as text for the user; the question, if nothing has been said yet. */
export function toLastMessage(scope: StepScope): string {
  return speaks(scope.node) || isSpokenBefore(scope.plan, scope.node, "some") ? lastSaid : "{{ question }}";
}

/** Where the values stand that a step's texts name. */
export function placesOf(scope: StepScope, own?: ValuePlaces["own"]): ValuePlaces {
  const { plan, node, conversion } = scope;
  const isFirst = !isSpokenBefore(plan, node, "some");
  const hasSpoken = isSpokenBefore(plan, node, "every");
  return {
    ...(own === undefined ? {} : { own }),
    lastMessage: hasSpoken ? lastSaid : isFirst ? "{{ question }}" : undefined,
    step: (id) => conversion.values.get(id),
  };
}

/** The start of the graph, as a part of a step: it lends what a step does not have itself. */
export function startOf({ plan, conversion, stepId }: StepScope): ClassicScope {
  return createScope(conversion, plan.start, stepId);
}
