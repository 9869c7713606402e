import type { Exit } from "./draft.ts";
import type { ClassicNode } from "./graph.ts";
import { toModel } from "./models.ts";
import { toLiteral } from "./prompt-text.ts";
import { type ClassicScope, type Conversion, createScope } from "./scope.ts";

/** The exit of a gate for messages that pass. */
const allowed = "else";
const blocked = "blocked";

/**
 * Puts the moderations of components before everything else, each once. A message that one of them blocks is answered
 * with its words, and no model of the flow is asked.
 */
export function drawModerations(conversion: Conversion, guarded: readonly ClassicNode[]): void {
  const { graph } = conversion;
  const moderations = new Set(guarded.flatMap((node) => graph.sources(node, "inputModeration")));
  for (const node of moderations) {
    const id = conversion.draft.reserve(node.id);
    const scope = createScope(conversion, node, id);
    const passed = drawGate(scope);
    if (passed !== undefined) conversion.root = [passed];
  }
}

function drawGate(scope: ClassicScope): Exit | undefined {
  const { node, settings, report, stepId, conversion } = scope;
  if (node.name !== "inputModerationSimple") {
    const name = node.name.slice(0, 100);
    report.refuse(
      "moderation-unsupported",
      `Its moderation ${name} cannot be used here. Use a Simple Prompt Moderation with a model, or a Condition Agent that describes what is not answered.`,
    );
    return undefined;
  }
  const lines = settings.text("denyList").split("\n");
  const denied = lines.map((line) => line.trim()).filter((line) => line !== "");
  if (denied.length === 0) {
    report.warn("moderation-empty", "Its deny list is empty, so that it blocks nothing and is left out. Fill it in.");
    scope.ignore("model", "moderationErrorMessage");
    return undefined;
  }
  const gate = conversion.graph.source(node, "model") ? drawModelGate(scope, denied) : drawWordGate(scope, denied);
  const reply = conversion.draft.reserve(`${stepId}_reply`);
  const message = settings.template("moderationErrorMessage") || presetMessage;
  conversion.draft.add({ id: reply, type: "direct-reply", label: "Blocked", config: { message } }, [
    { ...gate, port: blocked },
  ]);
  return { ...gate, port: allowed };
}

const presetMessage = "Cannot Process! Input violates content moderation policies.";

/** A model says whether the message is like one of the denied ones. */
function drawModelGate(scope: ClassicScope, denied: readonly string[]): Exit {
  const { node, stepId, conversion } = scope;
  const description = `The message says or asks something similar to one of these:\n${denied.map(toLiteral).join("\n")}`;
  const config = {
    model: toModel(scope),
    scenarios: [{ id: blocked, description }],
    hasElse: true,
    memory: { type: "off" },
  };
  return conversion.draft.add({ id: stepId, type: "condition-agent", label: node.label, config }, conversion.root);
}

const findDenied = `const text = $input.toLowerCase();
const denied = $denied.split("\\n").map((line) => line.toLowerCase());
return denied.some((line) => text.includes(line)) ? "${blocked}" : "";`;

/** The message is searched for the denied words, in any case. */
function drawWordGate(scope: ClassicScope, denied: readonly string[]): Exit {
  const { node, stepId, conversion } = scope;
  const { draft } = conversion;
  const search = draft.reserve(`${stepId}_search`);
  const variables = [{ name: "denied", value: denied.map(toLiteral).join("\n") }];
  const found = draft.add(
    { id: search, type: "custom-function", label: `Search: ${node.label}`, config: { variables, code: findDenied } },
    conversion.root,
  );
  const conditions = [{ type: "string", left: `{{ ${search} }}`, operation: "equal", right: blocked }];
  const config = { branches: [{ id: blocked, conditions }] };
  return draft.add({ id: stepId, type: "condition", label: node.label, config }, [found]);
}
