import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { readFlow } from "@weft/dialects";
import { compileFlow } from "@weft/engine";
import { nodeRegistry } from "@weft/nodes";
import type { FlowDocument } from "@weft/schema";
import { parse } from "yaml";
import { boxesOf, overlaps } from "../packages/builder/src/canvas/model/box.ts";
import { toModel } from "../packages/builder/src/canvas/model/flow-model.ts";
import { builderCatalogue, templatesFolder } from "./lay-out-templates.ts";

type Entry = { id: string; category: string; title: string; summary: string; needs: { kind: string; name: string }[] };

const entries = JSON.parse(readFileSync(`${templatesFolder}templates.json`, "utf8")) as Entry[];
const textOf = ({ category, id }: Entry) => readFileSync(`${templatesFolder}${category}/${id}.flow.json`, "utf8");
const flowOf = (entry: Entry) => JSON.parse(textOf(entry)) as FlowDocument;

/**
 * What the graph of a flow looks like without names, types and settings: steps are told apart by what leads to them,
 * what they lead to and what is in them, again and again. A loop leads back to its target.
 */
function shapeOf({ nodes, edges }: FlowDocument): string {
  const back = nodes.flatMap(({ id, config }) => (typeof config.target === "string" ? [[id, config.target]] : []));
  const links = [...edges.map(({ source, target }) => [source, target]), ...back];
  let colours = new Map(nodes.map(({ id }) => [id, "."]));
  for (let round = 0; round < nodes.length; round += 1) {
    const of = (ids: (string | undefined)[]) =>
      ids
        .map((id) => colours.get(id ?? "") ?? "")
        .sort()
        .join(" ");
    const next = nodes.map(({ id, parent }) => {
      const after = of(links.filter(([source]) => source === id).map(([, target]) => target));
      const before = of(links.filter(([, target]) => target === id).map(([source]) => source));
      const inside = of(nodes.filter((node) => node.parent === id).map((node) => node.id));
      return [id, `${before}>${after}/${inside}<${colours.get(parent ?? "") ?? ""}`] as const;
    });
    colours = new Map(next.map(([id, text]) => [id, hash("sha256", text)]));
  }
  return JSON.stringify([...colours.values()].sort());
}

describe("the templates", () => {
  it("are 24 or more, of five kinds, each named once and listed with its flow and its test", () => {
    assert.ok(entries.length >= 24, String(entries.length));
    assert.equal(new Set(entries.map(({ id }) => id)).size, entries.length);
    assert.deepEqual(
      [...new Set(entries.map(({ category }) => category))],
      ["support", "research", "data", "content", "operations"],
    );
    const listed = entries.map(({ category, id }) => `${category}/${id}.flow.json`).sort();
    assert.deepEqual(globSync("*/*.flow.json", { cwd: templatesFolder }).sort(), listed);
    for (const { category, id } of entries) assert.ok(existsSync(`${templatesFolder}${category}/${id}.test.yaml`), id);
  });

  it("have graphs that no two share, with three steps or more", () => {
    const shapes = Map.groupBy(entries, (entry) => shapeOf(flowOf(entry)));
    const shared = [...shapes.values()].filter(({ length }) => length > 1).map((same) => same.map(({ id }) => id));
    assert.deepEqual(shared, []);
    for (const entry of entries) {
      assert.ok(flowOf(entry).nodes.filter(({ type }) => type !== "start").length >= 3, entry.id);
    }
  });

  it("compile without a finding", () => {
    for (const entry of entries) {
      const { findings } = compileFlow(textOf(entry), nodeRegistry, readFlow);
      assert.deepEqual(findings, [], entry.id);
    }
  });

  it("are laid out so that no card lies on another, and a step stands right of those before it", () => {
    for (const entry of entries) {
      const { nodes, edges } = flowOf(entry);
      const model = toModel({ nodes, edges });
      for (const parent of new Set(nodes.map((node) => node.parent))) {
        const boxes = boxesOf(model, builderCatalogue, parent);
        for (const [at, box] of boxes.entries()) {
          assert.ok(!boxes.slice(at + 1).some((other) => overlaps(box, other, 16)), `${entry.id} ${at}`);
        }
      }
      for (const { source, target } of edges) {
        const [from, to] = [model.nodes.get(source), model.nodes.get(target)];
        assert.ok((from?.position.x ?? 0) < (to?.position.x ?? 0), `${entry.id} ${source} ${target}`);
      }
    }
  });

  it("say what they need, and nothing else", () => {
    for (const entry of entries) {
      const text = textOf(entry);
      const found = (kind: string, pattern: RegExp) =>
        [...new Set(Array.from(text.matchAll(pattern), ([, name]) => name))].map((name) => `${kind} ${name}`);
      const models = /"type": "(llm|agent|condition-agent)"/.test(text) ? ["model model"] : [];
      const used = [
        ...models,
        ...found("service", /\{\{ \$vars\.(\w+) \}\}/g),
        ...found("document-store", /"storeId": "([\w-]+)"/g),
        ...found("credential", /"credential": "([\w-]+)"/g),
        ...found("agent", /"agentId": "([\w-]+)"/g),
      ];
      assert.deepEqual(entry.needs.map(({ kind, name }) => `${kind} ${name}`).sort(), used.sort(), entry.id);
    }
  });

  it("have a test of two cases or more", () => {
    for (const { category, id } of entries) {
      const text = readFileSync(`${templatesFolder}${category}/${id}.test.yaml`, "utf8");
      const { cases } = parse(text) as { cases: unknown[] };
      assert.ok(cases.length >= 2, id);
    }
  });

  it("prompt in more than a line: every model step has instructions", () => {
    for (const entry of entries) {
      for (const { id, type, config } of flowOf(entry).nodes) {
        if (type !== "llm" && type !== "agent") continue;
        const [first] = config.messages as { role: string; content: string }[];
        assert.ok(first?.role === "system" && first.content.length > 100, `${entry.id} ${id}`);
      }
    }
  });
});
