import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compileFlow } from "@weft/engine";
import { nodeRegistry } from "@weft/nodes";
import { flowDocumentSchema, type JsonObject } from "@weft/schema";
import fc from "fast-check";
import { readFlow } from "../read-flow.ts";
import { type ClassicTestNode, classicFlow } from "../testing/classic-file.ts";
import { classicInputs } from "../testing/classic-inputs.ts";
import { convertClassic } from "./convert-classic.ts";

const components = Object.values(classicInputs).flatMap((list) => Object.entries(list));
const componentNames = [...components.map(([name]) => name), "stickyNote", "futureChain", "__proto__"];
const inputNames = [
  ...new Set(components.flatMap(([, list]) => list.split(" ").map((entry) => entry.replace(/:.*/, "")))),
  "__proto__",
  "constructor",
];

const id = fc.oneof(
  fc.tuple(fc.constantFrom(...componentNames), fc.nat(2)).map(([name, number]) => `${name}_${number}`),
  fc.constantFrom("start", "a b", "question", ""),
);
const reference = fc.tuple(id, fc.constantFrom("", ".a", ".a.b")).map(([to, path]) => `{{${to}.data.instance${path}}}`);
const text = fc.oneof(
  fc.string(),
  reference,
  fc.constantFrom(
    "{x}",
    "{{question}} {a} {b}",
    "{{$vars.x}}",
    '{"a":"{{question}}"}',
    "true",
    "-1",
    "1e999",
    "[{a:1,}]",
    "{{",
  ),
);
const value = fc.oneof(text, fc.array(reference, { maxLength: 3 }), fc.jsonValue({ maxDepth: 3 }));
const node = fc.record(
  {
    id,
    inputs: fc.dictionary(fc.constantFrom(...inputNames), value, { maxKeys: 8 }),
    output: fc.constantFrom("output", "EndingNode", "outputPrediction", "text", "document", "retriever"),
  },
  { requiredKeys: ["id"] },
);
const edge = fc
  .tuple(id, fc.constantFrom("", ":returnTrue", ":returnFalse"), id)
  .map(([source, output, target]) => `${source}${output}>${target}`);
const flow = fc
  .tuple(fc.array(node, { maxLength: 10 }), fc.array(edge, { maxLength: 8 }))
  .map(([nodes, edges]) => classicFlow(nodes as ClassicTestNode[], edges));

function assertSound(document: JsonObject): void {
  const { flow: converted, findings } = convertClassic(document);
  const parsed = flowDocumentSchema.safeParse(converted);
  assert.ok(parsed.success, JSON.stringify(parsed.error?.issues));
  const ids = new Set(converted.nodes.map((one) => one.id));
  assert.equal(ids.size, converted.nodes.length);
  for (const { source, target } of converted.edges) assert.ok(ids.has(source) && ids.has(target));
  assert.ok(converted.nodes.length > 0 || findings.some(({ level }) => level === "error"));
  for (const { message, nodeId } of findings) {
    assert.match(message, /\.$/);
    assert.ok(nodeId === null || converted.nodes.length === 0 || ids.has(nodeId), message);
  }
}

describe("any classic chatflow", () => {
  it("becomes a native document, whatever its components hold", () => {
    fc.assert(fc.property(flow, assertSound), { numRuns: 1_000 });
  });

  it("has no findings about its templates or edges once it is compiled", () => {
    const settled = new Set([
      ...["template-unknown", "edge-dangling", "edge-crosses-levels", "port-unknown", "edge-id-duplicate"],
      ...["node-id-duplicate", "parent-unknown", "flow-cyclic", "node-unreachable", "state-undeclared"],
    ]);
    fc.assert(
      fc.property(flow, (document) => {
        const own = new Set(convertClassic(document).findings.map(({ message }) => message));
        const { findings } = compileFlow(JSON.stringify(document), nodeRegistry, readFlow);
        assert.deepEqual(
          findings.filter(({ code, message }) => settled.has(code) && !own.has(message)),
          [],
        );
      }),
      { numRuns: 300 },
    );
  });
});
