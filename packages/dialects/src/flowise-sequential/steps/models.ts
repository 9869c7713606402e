import type { JsonObject } from "@weft/schema";
import { type ClassicNode, createScope, type Exit } from "../../flowise-classic/index.ts";
import { toAnswerFields, toButtons, toQuestion, toRounds, toStepTools } from "../ask.ts";
import { drawStateCode, toUpdates } from "../state.ts";
import { addHelper, addStep, type DrawnStep, type StepConverter, type StepScope } from "../step.ts";
import { toReference } from "../values.ts";

const ownOutput = (path: readonly string[]) => toReference(["output", ...path]);

/** Adds the step that updates the state with code, if there is one, and returns the exits to continue from. */
function withStateCode(scope: StepScope, exit: Exit, { code, output }: { code: string; output: string }): DrawnStep {
  if (code.trim() === "") return { ways: [exit], answers: true };
  return { ways: [drawStateCode(scope, { code, output, from: [exit] })], answers: false };
}

/** A model that calls its tools until it can answer, in the user's name. */
const seqAgent: StepConverter = {
  draw(scope) {
    const { config, code } = toUpdates(scope, ownOutput);
    const exit = addStep(scope, "agent", {
      ...toQuestion(scope),
      ...toStepTools([scope]),
      ...toButtons([scope]),
      maxRounds: toRounds(scope),
      responseRole: "user",
      ...config,
    });
    return withStateCode(scope, exit, { code, output: `{{ ${exit.id}.output }}` });
  },
};

/** One model call. With tool nodes behind it, it may call their tools once, and what follows reads the results. */
const seqLLMNode: StepConverter = {
  draw(scope) {
    const { config: updates, code } = toUpdates(scope, ownOutput);
    const config = { ...toQuestion(scope), ...toAnswerFields(scope, "llmStructuredOutput"), ...updates };
    const toolNodes = toolNodesOf(scope);
    if (toolNodes.length > 0) return drawCaller(scope, { config, code, toolNodes });
    const exit = addStep(scope, "llm", { ...config, responseRole: "assistant" });
    return withStateCode(scope, exit, { code, output: `{{ ${exit.id}.output }}` });
  },
};

function toolNodesOf({ plan, node }: StepScope): ClassicNode[] {
  const { graph, steps } = plan.sequence;
  return steps.filter((step) => step.name === "seqToolNode" && graph.source(step, "llmNode") === node);
}

/** Its ways to tool nodes are taken when it called a tool; when it did not, it has answered. */
function drawCaller(
  scope: StepScope,
  { config, code, toolNodes }: { config: JsonObject; code: string; toolNodes: readonly ClassicNode[] },
): DrawnStep {
  const { conversion, stepId, plan, node } = scope;
  const scopes = toolNodes.map((tool) => createScope(conversion, tool, stepId));
  const { tools, knowledge } = toStepTools(scopes);
  if (toolNodes.length > 1) {
    scope.report.warn(
      "tool-nodes-joined",
      "It has several tool nodes, and all of them go on when any of their tools was called. Wire all tools to one tool node.",
    );
  }
  const asked = addStep(scope, "agent", {
    ...config,
    tools: tools.map((tool) => ({ ...tool, returnDirect: true })),
    knowledge,
    ...toButtons(scopes),
    maxRounds: 1,
    responseRole: "none",
  });
  const done =
    code.trim() === "" ? asked : drawStateCode(scope, { code, output: `{{ ${stepId}.output }}`, from: [asked] });
  const conditions = [
    { type: "array", left: `{{ ${stepId}.output.usedTools }}`, operation: "is-not-empty", right: "" },
  ];
  const called = addHelper(scope, {
    name: "tools",
    label: "Tools called?",
    type: "condition",
    config: { branches: [{ id: "called", title: "Called", conditions }] },
    from: [done],
  });
  const ids = new Set(toolNodes.map(({ id }) => id));
  const goesOn = plan.sequence.from(node).some(({ target }) => !ids.has(target));
  if (!goesOn) {
    const config = { message: `{{ ${stepId} }}` };
    addHelper(scope, {
      name: "reply",
      label: "Answer",
      type: "direct-reply",
      config,
      from: [{ ...called, port: "else" }],
    });
  }
  return {
    ways: [
      { ...called, port: "called", takes: ({ target }) => ids.has(target) },
      ...(goesOn ? [{ ...done, takes: ({ target }: { target: string }) => !ids.has(target) }] : []),
    ],
    answers: true,
  };
}

const results = 'return $results.map(({ toolOutput }) => toolOutput).join("\\n\\n");';

/** The results of the tools that the model before it called, as a message. */
const seqToolNode: StepConverter = {
  draw(scope) {
    const { plan, report } = scope;
    const llm = scope.part("llmNode");
    const caller = llm && plan.stepIds.get(llm.node.id);
    scope.ignore("tools", "interrupt", "approvalPrompt", "approveButtonText", "rejectButtonText");
    if (caller === undefined || llm?.node.name !== "seqLLMNode") {
      report.refuse("tool-node-alone", "No LLM node that calls its tools is wired to it. Wire one.");
    }
    const used = [caller ?? "", "output", "usedTools"];
    const own = ([index = "", ...path]: readonly string[]) =>
      path[0] === "sourceDocuments"
        ? toReference([caller ?? "", "output", ...path])
        : toReference([...used, ...(index === "" ? [] : [index]), ...path]);
    const { config, code } = toUpdates(scope, own);
    const exit = addStep(scope, "custom-function", {
      variables: [{ name: "results", value: toReference(used) }],
      code: results,
      responseRole: "assistant",
      ...config,
    });
    return withStateCode(scope, exit, { code, output: toReference(used) });
  },
};

export const models: Readonly<Record<string, StepConverter>> = { seqAgent, seqLLMNode, seqToolNode };
