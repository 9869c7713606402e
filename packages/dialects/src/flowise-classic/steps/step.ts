import type { JsonObject } from "@weft/schema";
import type { Exit } from "../draft.ts";
import type { ClassicNode } from "../graph.ts";
import { type ClassicScope, exitsBefore, type StepValue } from "../scope.ts";

/** A component that was drawn as one or more steps. */
export type DrawnStep = {
  /** Where the next step begins; with the component's output that leads there, where it has several. */
  exits: readonly (Exit & { output?: string })[];
  /** The value that later texts read. */
  value: StepValue;
};

export type StepScope = ClassicScope & {
  /** Whether it answers the user. Output of earlier steps stays out of the conversation. */
  readonly isAnswer: boolean;
};

/** A component that does its work as a step of the run. */
export type StepConverter = {
  draw(scope: StepScope): DrawnStep;
  /** Whether it works before the answer, at this place of a graph. Absent: it only answers. */
  worksBefore?(node: ClassicNode): boolean;
};

type NewStep = { type: string; config: JsonObject; label?: string; from?: readonly Exit[] };

/** Adds the step that has the component's own id, behind what leads to it. */
export function addStep(scope: ClassicScope, { type, config, label = scope.node.label, from }: NewStep): Exit {
  const { conversion, node, stepId } = scope;
  return conversion.draft.add({ id: stepId, type, label, config }, from ?? exitsBefore(conversion, node));
}

/** Adds a step beside the component's own, under an id that says what it does. */
export function addHelper(
  scope: ClassicScope,
  { name, label, ...step }: NewStep & { name: string; label: string; from: readonly Exit[] },
): Exit {
  const { draft } = scope.conversion;
  const helper = { id: draft.reserve(`${scope.stepId}_${name}`), label: `${label}: ${scope.node.label}` };
  return draft.add({ ...helper, type: step.type, config: step.config }, step.from);
}

/** A step whose value is its text. */
export function textStep(exit: Exit): DrawnStep {
  return { exits: [exit], value: () => `{{ ${exit.id} }}` };
}

/** A step whose value is its text, or a part of its data. */
export function dataStep(exit: Exit, place: string): DrawnStep {
  return {
    exits: [exit],
    value: (path) =>
      path.length === 0 ? `{{ ${exit.id} }}` : `{{ ${[exit.id, "output", place, ...path].join(".")} }}`,
  };
}

/** How an answer joins the conversation. */
export function toResponseRole({ isAnswer }: StepScope): JsonObject {
  return { responseRole: isAnswer ? "assistant" : "none" };
}
