import { toAnswerFields, toQuestion } from "../ask.ts";
import { drawDecision } from "../conditions.ts";
import { titleOf, toPlainName } from "../sequence.ts";
import { addHelper, addStep, type StepConverter, type StepScope } from "../step.ts";
import { toReference } from "../values.ts";

/** Goes on where its rules, or its code, lead. */
const seqCondition: StepConverter = {
  draw(scope) {
    const add = (config: Parameters<typeof addStep>[2], from: StepScope["from"]) =>
      addStep({ ...scope, from }, "condition", config);
    return { ways: drawDecision(scope, { from: scope.from, add }), answers: false };
  },
};

/** Asks a model, and goes on by what it said. Nothing of it joins the conversation. */
const seqConditionAgent: StepConverter = {
  draw(scope) {
    const asked = addStep(scope, "llm", {
      ...toQuestion(scope),
      ...toAnswerFields(scope, "conditionAgentStructuredOutput"),
      responseRole: "none",
    });
    const ways = drawDecision(scope, {
      from: [asked],
      add: (config, from) => addHelper(scope, { name: "branch", label: "Branch", type: "condition", config, from }),
      own: (path) => toReference([asked.id, "output", ...path]),
      output: `{{ ${asked.id}.output }}`,
    });
    return { ways, answers: false };
  },
};

/** Goes back to a step by its name. When it has been there often enough, the last message is the answer. */
const seqLoop: StepConverter = {
  draw(scope) {
    const { plan, settings, report } = scope;
    const wanted = settings.text("loopToName");
    const target = [plan.start, ...plan.sequence.steps].find(
      (step) => toPlainName(titleOf(step)) === toPlainName(wanted),
    );
    if (target === undefined) {
      report.refuse(
        "loop-target-missing",
        `It goes back to "${wanted.slice(0, 200)}", and no step has that name. Correct the name.`,
        "target",
      );
    }
    const exit = addStep(scope, "loop", {
      target: plan.stepIds.get(target?.id ?? "") ?? "",
      times: Math.max(5, Math.floor(mostSteps / stepsBetween(scope, target?.id))),
      fallback: lastSaid,
    });
    return { ways: [exit], answers: true };
  },
};

const lastSaid = "{{ $flow.runtimeChatHistory[-1].content }}";

/** Steps that a run made at most. */
const mostSteps = 25;

/** How many steps one round of a loop has. */
function stepsBetween({ plan, node }: StepScope, target: string | undefined): number {
  const { from, steps } = plan.sequence;
  const reached = new Set(target === undefined ? [] : [target]);
  for (const step of steps) if (reached.has(step.id)) for (const wire of from(step)) reached.add(wire.target);
  const leading = new Set([node.id]);
  for (const step of steps.toReversed()) if (from(step).some((wire) => leading.has(wire.target))) leading.add(step.id);
  return Math.max(1, [...reached].filter((id) => leading.has(id) && id !== node.id).length);
}

/** Ends its way: what was said last is the answer. */
const seqEnd: StepConverter = { draw: () => ({ ways: [], answers: true }) };

export const branches: Readonly<Record<string, StepConverter>> = { seqCondition, seqConditionAgent, seqLoop, seqEnd };
