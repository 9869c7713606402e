import {
  type Finding,
  type Flow,
  flowDocumentSchema,
  isDeeperThan,
  isJsonObject,
  maxJsonDepth,
  parseJson,
} from "@weft/schema";

const emptyFlow: Flow = { nodes: [], edges: [] };

/** Parses a stored flow. Never throws: anything unexpected becomes a finding. */
export function parseFlow(text: string): { flow: Flow; findings: Finding[] } {
  const document = parseJson(text);
  if (document === undefined) {
    return refuse("flow-unparsable", "flowData is not valid JSON. Save the flow again, or send it as JSON text.");
  }
  if (!isJsonObject(document)) return refuse("flow-unparsable", "flowData must be a JSON object.");
  if (isDeeperThan(document, maxJsonDepth)) {
    return refuse("flow-malformed", `flowData is nested more than ${maxJsonDepth} levels deep. Flatten it.`);
  }
  if (document.weft === undefined) {
    const isEmpty = !Array.isArray(document.nodes) || document.nodes.length === 0;
    if (isEmpty) return refuse("flow-empty", "This agent has no steps yet. Add a start node and a model to its flow.");
    return refuse(
      "flow-dialect-unknown",
      'This flow is not in a format that can run here. Save it in the native format, with "weft": 1.',
    );
  }
  const parsed = flowDocumentSchema.safeParse(document);
  if (parsed.success) return { flow: parsed.data, findings: [] };
  return {
    flow: emptyFlow,
    findings: parsed.error.issues.slice(0, 20).map((issue) => ({
      level: "error",
      code: "flow-malformed",
      nodeId: null,
      path: issue.path.join("."),
      message: `flowData does not match the flow format at ${issue.path.join(".") || "its top"}: ${issue.message}.`,
    })),
  };
}

function refuse(code: string, message: string): { flow: Flow; findings: Finding[] } {
  return { flow: emptyFlow, findings: [{ level: "error", code, nodeId: null, message }] };
}
