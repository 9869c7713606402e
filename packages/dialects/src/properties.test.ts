import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compileFlow } from "@weft/engine";
import { nodeRegistry } from "@weft/nodes";
import { flowDocumentSchema, type JsonObject } from "@weft/schema";
import fc from "fast-check";
import { convertAgentFlowV2 } from "./agentflow-v2/convert-agentflow-v2.ts";
import { nodeTable } from "./agentflow-v2/node-table.ts";
import { toolTable } from "./agentflow-v2/tools/tool-table.ts";
import { readFlow } from "./read-flow.ts";
import { foreignFlow } from "./testing/foreign-file.ts";

const names = fc.constantFrom(...nodeTable.keys(), "futureAgentflow", "__proto__");
const id = fc.oneof(
  fc.tuple(names, fc.nat(2)).map(([name, number]) => `${name}_${number}`),
  fc.string({ maxLength: 8 }),
);
const text = fc.oneof(
  fc.string(),
  fc.constantFrom(
    "<p>{{ question }}</p>",
    "{{ llmAgentflow_0.output.a[0] }}",
    "[{a:1,}]",
    "{{",
    "<ul><li>",
    "windowSize",
    "true",
    "-1",
    "1e999",
  ),
);
const value = fc.oneof(text, fc.jsonValue({ maxDepth: 3 }));

/** Names of inputs that converters read, and others. */
const key = fc.constantFrom(
  ...[
    "llmModel",
    "llmModelConfig",
    "llmMessages",
    "llmEnableMemory",
    "llmMemoryType",
    "llmUserMessage",
    "llmStructuredOutput",
  ],
  ...[
    "agentTools",
    "agentMessages",
    "agentKnowledgeDocumentStores",
    "conditions",
    "conditionAgentScenarios",
    "iterationInput",
  ],
  ...[
    "loopBackToNode",
    "maxLoopCount",
    "toolAgentflowSelectedTool",
    "toolInputArgs",
    "url",
    "method",
    "bodyType",
    "body",
  ],
  ...["startInputType", "startState", "formInputTypes", "llmUpdateState", "executeFlowOverrideConfig", "__proto__", ""],
);
const row = fc.dictionary(
  fc.constantFrom("key", "value", "type", "role", "content", "name", "value1", "operation", "__proto__"),
  value,
);
const tool = fc.record({
  agentSelectedTool: fc.constantFrom(...toolTable.keys(), "gmail", ""),
  agentSelectedToolConfig: fc.oneof(
    value,
    fc.dictionary(fc.constantFrom("url", "requestsGetUrl", "selectedTool", "mcpServerConfig"), value),
  ),
});
const inputs = fc.dictionary(key, fc.oneof(value, fc.array(row, { maxLength: 3 }), fc.array(tool, { maxLength: 3 })));
const node = fc.record(
  { id, label: fc.string(), parent: fc.option(id, { nil: undefined }), inputs },
  { requiredKeys: ["id"] },
);
const edge = fc.tuple(id, fc.nat(3), id).map(([source, output, target]) => `${source}:${output}>${target}`);
const flow = fc
  .tuple(fc.array(node, { maxLength: 6 }), fc.array(edge, { maxLength: 6 }))
  .map(([nodes, edges]) => foreignFlow(nodes as Parameters<typeof foreignFlow>[0], edges));

function assertSound(document: JsonObject): void {
  const converted = convertAgentFlowV2(document);
  const parsed = flowDocumentSchema.safeParse(converted.flow);
  assert.ok(parsed.success, JSON.stringify(parsed.error?.issues));
  const ids = new Set(converted.flow.nodes.map((one) => one.id));
  assert.equal(ids.size, converted.flow.nodes.length);
  for (const { source, target } of converted.flow.edges) assert.ok(ids.has(source) && ids.has(target));
  for (const { message, nodeId } of converted.findings) {
    assert.match(message, /\.$/);
    assert.equal(typeof nodeId, "string");
  }
}

describe("any flow", () => {
  it("becomes a native document, whatever its nodes hold", () => {
    fc.assert(fc.property(flow, assertSound), { numRuns: 500 });
  });

  it("has no findings about its templates or edges once it is compiled", () => {
    const settled = new Set([
      "template-unknown",
      "edge-dangling",
      "edge-crosses-levels",
      "port-unknown",
      "edge-id-duplicate",
      "node-id-duplicate",
      "parent-unknown",
    ]);
    fc.assert(
      fc.property(flow, (document) => {
        const { findings } = compileFlow(JSON.stringify(document), nodeRegistry, readFlow);
        assert.deepEqual(
          findings.filter(({ code }) => settled.has(code)),
          [],
        );
      }),
      { numRuns: 200 },
    );
  });

  it("is read without throwing when it is any JSON, or no JSON at all", () => {
    const anyNodes = fc.record({ nodes: fc.jsonValue({ maxDepth: 5 }), edges: fc.jsonValue() });
    const texts = fc.oneof(
      fc.json({ maxDepth: 5 }),
      anyNodes.map((document) => JSON.stringify(document)),
      fc.string(),
    );
    fc.assert(
      fc.property(texts, (content) => {
        const { flow: read, findings } = readFlow(content);
        assert.ok(read.nodes.length > 0 || findings.length > 0 || content.includes("weft"));
      }),
    );
  });
});
