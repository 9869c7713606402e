import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it, test } from "node:test";
import fc from "fast-check";
import { type FlowiseRow, openFlowise } from "../index.ts";
import { makeFolder } from "../testing/test-sources.ts";
import { readJsonLists } from "./open-export.ts";

test("says what is wrong with a file", async (t) => {
  const folder = await makeFolder(t);
  const exportFile = join(folder, "ExportData.json");
  await assert.rejects(openFlowise({ exportFile }), { name: "FlowiseSourceError", message: /cannot be read: ENOENT/ });
  for (const [text, expected] of [
    ["", /is cut short/],
    ['{"Tool": [{"id": "a"}, {"id"', /is cut short/],
    ["[]", /is not an export of Flowise/],
    ["SQLite format 3\0", /is not an export of Flowise/],
    ['{"agents": []}', /is not an export of Flowise/],
    ['{"Tool": [{"id": tru}]}', /is damaged/],
    ['{"Tool": [{"id": "a"}]} and more', /is not an export of Flowise/],
  ] as const) {
    await writeFile(exportFile, text);
    await assert.rejects(openFlowise({ exportFile }), { name: "FlowiseSourceError", message: expected }, text);
  }
});

test("reads lists in any order, and JSON columns that are no text", async (t) => {
  const exportFile = join(await makeFolder(t), "ExportData.json");
  const flow = { id: "f", flowData: { nodes: [], edges: [] }, deployed: true, createdDate: "2025-01-02T00:00:00.000Z" };
  const content = {
    Variable: [],
    AgentFlowV2: [flow, { ...flow, id: "e", createdDate: "2025-01-01T00:00:00Z", type: null }, null, 7, "text"],
    Unknown: [{ id: "x" }],
    AgentFlow: [{ ...flow, id: "d", type: "MULTIAGENT", createdDate: "not a date" }],
  };
  await writeFile(exportFile, `\ufeff${JSON.stringify(content, null, 2)}\n`);
  const source = await openFlowise({ exportFile });
  t.after(source.close);
  const flows: FlowiseRow<"chat_flow">[] = [];
  for await (const page of source.rows("chat_flow")) flows.push(...page);
  assert.deepEqual(
    flows.map(({ id, type, flowData, createdDate }) => [id, type, flowData, createdDate]),
    [
      ["d", "MULTIAGENT", '{"nodes":[],"edges":[]}', null],
      ["e", "AGENTFLOW", '{"nodes":[],"edges":[]}', "2025-01-01T00:00:00.000Z"],
      ["f", "AGENTFLOW", '{"nodes":[],"edges":[]}', "2025-01-02T00:00:00.000Z"],
    ],
  );
  assert.equal(await source.count("variable"), 0);
});

describe("readJsonLists", () => {
  it("finds the objects of every list, whatever they hold and wherever the text is divided", async () => {
    const json = fc.jsonValue({ maxDepth: 3, noUnicodeString: false });
    const item = fc.oneof(json, fc.dictionary(fc.string(), json));
    const document = fc.dictionary(fc.string(), fc.oneof(json, fc.array(item)), { maxKeys: 5 });
    await fc.assert(
      fc.asyncProperty(document, fc.integer({ min: 1, max: 9 }), fc.constantFrom(0, 2), async (value, size, indent) => {
        const bytes = Buffer.from(JSON.stringify(value, null, indent));
        const found: unknown[] = [];
        const outcome = await readJsonLists(divide(bytes, size), ({ list, startByte, bytes: own }) => {
          assert.deepEqual(bytes.subarray(startByte, startByte + own.length), own);
          found.push([JSON.parse(`"${list}"`), JSON.parse(own.toString())]);
        });
        assert.equal(outcome, "complete");
        const isObject = (one: unknown) => typeof one === "object" && one !== null && !Array.isArray(one);
        const expected = Object.entries(JSON.parse(bytes.toString())).flatMap(([list, content]) =>
          Array.isArray(content) ? content.filter(isObject).map((one) => [list, one]) : [],
        );
        assert.deepEqual(found, expected);
      }),
      { numRuns: 100 },
    );
  });
});

async function* divide(bytes: Buffer, size: number): AsyncIterable<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}
