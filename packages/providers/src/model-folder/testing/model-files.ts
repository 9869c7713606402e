import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { createGraphBuilder, type GraphBuilder } from "../../embedded/graph/graph-builder.ts";
import { toOnnx, type Value } from "../../embedded/graph/onnx.ts";
import { wordPiece } from "./tokenizer-files.ts";

/** The words of the models below, and what each is about: water, fire, or nothing. */
const words = { water: [1, 0], sea: [1, 0], fire: [0, 1], flame: [0, 1], the: [0, 0], "query:": [0, 0] } as const;
const specials = [0, 0, 0, 0];

const tokenizer = wordPiece(["water", "sea", "fire", "flame", "the", "query", ":"]);

const sequences = ["texts", "tokens"];
const inputs: Value[] = [
  { name: "input_ids", type: "int64", shape: sequences },
  { name: "attention_mask", type: "int64", shape: sequences },
  { name: "token_type_ids", type: "int64", shape: sequences },
];

type GraphOptions = { inputs?: readonly Value[]; output?: Value; build?(graph: GraphBuilder, table: string): void };

/** Each token's vector is what its word is about, and in a third place 1 for padding, which no mean may hold. */
export function embeddingGraph({
  inputs: given = inputs,
  output = { name: "vectors", type: "float32", shape: [...sequences, 3] },
  build,
}: GraphOptions = {}): Uint8Array {
  const graph = createGraphBuilder();
  const rows = [
    [0, 0, 1],
    ...specials.slice(1).map(() => [0, 0, 0]),
    ...Object.values(words).map((row) => [...row, 0]),
  ];
  const table = graph.floats([rows.length + 1, 3], Float32Array.from([...rows.flat(), 0, 0, 0]));
  if (build === undefined) graph.give("vectors", "Gather", [table, "input_ids"], {});
  else build(graph, table);
  return toOnnx({ name: "embedding", nodes: graph.nodes, tensors: graph.tensors, inputs: given, outputs: [output] });
}

/** The logit of a pair: 4 for each token of the passage that is about water, -4 for each about fire. */
export function rerankerGraph(columns = 1): Uint8Array {
  const graph = createGraphBuilder();
  const logits = [...specials, ...Object.values(words).map(([water, fire]) => 4 * (water - fire)), 0];
  const table = graph.floats([logits.length], Float32Array.from(logits));
  const type = graph.add("Cast", ["token_type_ids"], { to: 1 });
  const own = graph.add("Mul", [graph.add("Gather", [table, "input_ids"]), type]);
  const sum = graph.add("ReduceSum", [own, graph.integers([1])], { keepdims: 1 });
  graph.give(
    "logits",
    "Concat",
    Array.from({ length: columns }, () => sum),
    { axis: 1 },
  );
  const outputs: Value[] = [{ name: "logits", type: "float32", shape: ["texts", columns] }];
  return toOnnx({ name: "reranker", nodes: graph.nodes, tensors: graph.tensors, inputs, outputs });
}

/** Graphs that differ from `embeddingGraph` in one thing. */
export const otherGraphs = {
  scaled: () =>
    embeddingGraph({
      build: (graph, table) => {
        const vectors = graph.add("Gather", [table, "input_ids"]);
        graph.give("vectors", "Mul", [vectors, graph.float(2)], {});
      },
    }),
  /** The first token's vector is the sum of all tokens, the next one's that of those from it on. */
  cumulative: () =>
    embeddingGraph({
      build: (graph, table) => {
        const vectors = graph.add("Gather", [table, "input_ids"]);
        graph.give("vectors", "CumSum", [vectors, graph.integers([1])], { reverse: 1 });
      },
    }),
  /** One vector for each text, the sum of its tokens. */
  pooled: () =>
    embeddingGraph({
      output: { name: "vectors", type: "float32", shape: ["texts", 3] },
      build: (graph, table) => {
        const vectors = graph.add("Gather", [table, "input_ids"]);
        graph.give("vectors", "ReduceSum", [vectors, graph.integers([1])], { keepdims: 0 });
      },
    }),
  infinite: () =>
    embeddingGraph({
      build: (graph, table) => {
        const vectors = graph.add("Gather", [table, "input_ids"]);
        graph.give("vectors", "Div", [vectors, graph.float(0)], {});
      },
    }),
  integers: () =>
    embeddingGraph({
      output: { name: "vectors", type: "int64", shape: sequences },
      build: (graph) => graph.give("vectors", "Identity", ["input_ids"], {}),
    }),
  ofFloats: () =>
    embeddingGraph({
      inputs: [{ name: "input_ids", type: "float32", shape: sequences }],
      build: (graph, table) =>
        graph.give("vectors", "Gather", [table, graph.add("Cast", ["input_ids"], { to: 7 })], {}),
    }),
  ofPictures: () =>
    embeddingGraph({ inputs: [...inputs, { name: "pixel_values", type: "float32", shape: ["texts", 3] }] }),
};

export const embeddingManifest = { name: "elements", dimension: 3, maxTokens: 16, pooling: "mean", normalise: true };

type Files = { graph?: Uint8Array; manifest?: unknown; tokenizer?: object };

/** A folder that is deleted after the test. Of what is not given, that of the embedding model. */
export function createModelFolder(t: Pick<TestContext, "after">, files: Files = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "weft-model-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "model.onnx"), files.graph ?? embeddingGraph());
  writeFileSync(join(folder, "tokenizer.json"), JSON.stringify(files.tokenizer ?? tokenizer));
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(files.manifest ?? embeddingManifest));
  return folder;
}
