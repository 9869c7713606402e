import { present, toCredential } from "../agentflow-v2/index.ts";
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
  const { name } = scope.node;
  if (name === "inputModerationSimple") return drawListGate(scope);
  if (name === "inputModerationOpenAI") return drawReply(scope, drawVendorGate(scope), vendorMessage);
  scope.report.refuse(
    "moderation-unsupported",
    `Its moderation ${name.slice(0, 100)} cannot be used here. Use a Simple Prompt Moderation with a model, or a Condition Agent that describes what is not answered.`,
  );
  return undefined;
}

const presetMessage = "Cannot Process! Input violates content moderation policies.";
const vendorMessage = "Cannot Process! Input violates OpenAI's content moderation policies.";

function drawListGate(scope: ClassicScope): Exit | undefined {
  const { node, settings, report, conversion } = scope;
  const lines = settings.text("denyList").split("\n");
  const denied = lines.map((line) => line.trim()).filter((line) => line !== "");
  if (denied.length === 0) {
    report.warn("moderation-empty", "Its deny list is empty, so that it blocks nothing and is left out. Fill it in.");
    scope.ignore("model", "moderationErrorMessage");
    return undefined;
  }
  const gate = conversion.graph.source(node, "model") ? drawModelGate(scope, denied) : drawWordGate(scope, denied);
  return drawReply(scope, gate, presetMessage);
}

/** Answers what the gate blocks. Returns the exit for the rest. */
function drawReply({ settings, stepId, conversion }: ClassicScope, gate: Exit, preset: string): Exit {
  const reply = conversion.draft.reserve(`${stepId}_reply`);
  const message = settings.template("moderationErrorMessage") || preset;
  conversion.draft.add({ id: reply, type: "direct-reply", label: "Blocked", config: { message } }, [
    { ...gate, port: blocked },
  ]);
  return { ...gate, port: allowed };
}

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
  return drawVerdict(scope, { id: stepId, found });
}

/** Fails without a verdict, so that nothing passes that was not looked at. */
const readVerdict = `const results = $answer?.results;
const isVerdict = Array.isArray(results) && results.length > 0 && results.every((result) => typeof result?.flagged === "boolean");
if (!isVerdict) throw new Error("The moderation answered without a verdict, so the message was not processed.");
return results.some((result) => result.flagged) ? "${blocked}" : "";`;

/** OpenAI says whether the message violates its policies. Source: its API reference, "Moderations". */
function drawVendorGate(scope: ClassicScope): Exit {
  const { node, settings, report, stepId, conversion } = scope;
  const { draft } = conversion;
  const credential = toCredential(settings);
  if (credential === undefined) {
    report.refuse(
      "moderation-credential-missing",
      "It has no credential: exports leave them out. Choose one with an API key of OpenAI.",
      "credential",
    );
  }
  const request = present({
    method: "POST",
    url: "https://api.openai.com/v1/moderations",
    bodyType: "json",
    body: JSON.stringify({ model: "omni-moderation-latest", input: "{{ question }}" }),
    readOnly: true,
    credential,
  });
  const asked = draft.add({ id: stepId, type: "http", label: node.label, config: request }, conversion.root);
  const variables = [{ name: "answer", value: `{{ ${stepId}.output.data }}` }];
  const verdict = draft.reserve(`${stepId}_verdict`);
  const found = draft.add(
    { id: verdict, type: "custom-function", label: `Verdict: ${node.label}`, config: { variables, code: readVerdict } },
    [asked],
  );
  return drawVerdict(scope, { id: draft.reserve(`${stepId}_gate`), found });
}

/** Branches by the text that a step found. */
function drawVerdict({ node, conversion }: ClassicScope, { id, found }: { id: string; found: Exit }): Exit {
  const conditions = [{ type: "string", left: `{{ ${found.id} }}`, operation: "equal", right: blocked }];
  const config = { branches: [{ id: blocked, conditions }] };
  return conversion.draft.add({ id, type: "condition", label: node.label, config }, [found]);
}
