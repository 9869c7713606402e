import { createGraphBuilder, type GraphBuilder } from "./graph-builder.ts";
import { addLinear, addSmallLinear, type Matrix } from "./linear.ts";
import { toOnnx } from "./onnx.ts";
import type { Weights } from "./weights.ts";

/** Tokens that the model sees of a text; further ones are left out. */
export const maxTokens = 128;
export const dimension = 512;

const heads = 4;
const fixed = "module/Encoder_en";
const applied = "module_apply_default/Encoder_en";
const encode = "KonaTransformer/Encode";
const timing = `${applied}/${encode}/TransformerStack/Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1`;

type Layer = "Layer_0" | "Layer_1";
type Linear = typeof addLinear;

/**
 * The Universal Sentence Encoder lite as an ONNX graph: two layers of a transformer, the mean of the tokens and a dense
 * layer. Large matrices are 8-bit integers, but for those that the raw embeddings meet, which cost the most exactness.
 *
 * Inputs: `ids` [texts, tokens]; `present` [texts, tokens], 1 where a token is and 0 after the end of a shorter text; and
 * `positions`, 0 to tokens - 1, at most `maxTokens`. Each text needs a token. Output: `vectors` [texts, 512] of length 1.
 */
export function buildGraph(weights: Weights): Uint8Array {
  const graph = createGraphBuilder();
  const parts = createParts(graph, weights);
  const tokens = parts.embedding();
  const widened = parts.linear(addLinear, tokens, `${applied}/${encode}/Layer_0/TransformerLayer/dense`);
  let state = graph.add("Add", [parts.attention(addLinear, tokens, "Layer_0"), widened]);
  state = graph.add("Add", [parts.feedForward(state, "Layer_0"), state]);
  state = graph.add("Add", [parts.attention(addSmallLinear, state, "Layer_1"), state]);
  state = graph.add("Add", [parts.feedForward(state, "Layer_1"), state]);
  parts.toVectors(state);
  return toOnnx({
    name: "use-lite-en",
    nodes: graph.nodes,
    tensors: graph.tensors,
    inputs: [
      { name: "ids", type: "int32", shape: ["texts", "tokens"] },
      { name: "present", type: "float32", shape: ["texts", "tokens"] },
      { name: "positions", type: "int32", shape: ["tokens"] },
    ],
    outputs: [{ name: "vectors", type: "float32", shape: ["texts", dimension] }],
  });
}

function createParts(graph: GraphBuilder, weights: Weights) {
  const { add } = graph;
  const whole = "ConcatPartitions/concat";
  const absent = add("Unsqueeze", [add("Sub", ["present", graph.float(1)]), graph.integers([1, 2])]);
  /** Added to what a token pays attention with, so that what follows the end of a text gets none. */
  const hidden = add("Mul", [absent, graph.float(1e9)]);

  function toMatrix(name: string): Matrix {
    const { shape, values } = weights(name);
    const [rows = 0, columns = 0] = shape.slice(-2);
    return { rows, columns, values };
  }

  function vector(name: string): string {
    const { values } = weights(name);
    return graph.floats([values.length], values);
  }

  function normalise(state: string, name: string): string {
    const norm = `${name}/layer_prepostprocess/layer_norm/layer_norm`;
    const inputs = [state, vector(`${norm}_scale/${whole}`), vector(`${norm}_bias/${whole}`)];
    return add("LayerNormalization", inputs, { axis: -1 }, { epsilon: 1e-6 });
  }

  return {
    /** Twice the embedding of each token, and the signal of its position. */
    embedding(): string {
      const { rows, columns, values } = toMatrix("module/Embeddings_en");
      const table = graph.floats(
        [rows, columns],
        values.map((value) => 2 * value),
      );
      const signal = graph.floats([maxTokens, columns], toSignal(weights(timing).values));
      return add("Add", [add("Gather", [table, "ids"]), add("Gather", [signal, "positions"])]);
    },

    linear: (linear: Linear, state: string, name: string): string =>
      linear(graph, state, toMatrix(`${name}/kernel/${whole}`), weights(`${name}/bias/${whole}`).values),

    attention(linear: Linear, state: string, layer: Layer): string {
      const part = (name: string) => `${encode}/${layer}/TransformerLayer/MultiheadAttention/${name}_transform_single`;
      const transform = (input: string, name: string) => {
        const bias = weights(`${applied}/${part(name)}/bias/${whole}`).values;
        return linear(graph, input, toMatrix(`${fixed}/${part(name)}/kernel/part_0`), bias);
      };
      const name = `${applied}/${encode}/${layer}/TransformerLayer`;
      const width = weights(`${applied}/${part("qkv")}/bias/${whole}`).values.length / 3;
      const size = width / heads;
      const all = graph.split(transform(normalise(state, name), "qkv"), [width, width, width], 2);
      const [queries, keys, values] = all.map((one, index) => {
        const split = add("Reshape", [one, graph.integers([0, 0, heads, size])]);
        return add("Transpose", [split], { perm: index === 1 ? [0, 2, 3, 1] : [0, 2, 1, 3] });
      }) as [string, string, string];
      const scaled = add("Mul", [queries, graph.float(1 / Math.sqrt(size))]);
      const attended = add("Softmax", [add("Add", [add("MatMul", [scaled, keys]), hidden])], { axis: -1 });
      const joined = add("Transpose", [add("MatMul", [attended, values])], { perm: [0, 2, 1, 3] });
      return transform(add("Reshape", [joined, graph.integers([0, 0, width])]), "output");
    },

    feedForward(state: string, layer: Layer): string {
      const name = `${applied}/${encode}/${layer}/TransformerLayer/FFN`;
      const kernels = `${applied}/${encode}/TransformerStack/${layer}/TransformerLayer/FFN`;
      const convolve = (input: string, step: "conv1" | "conv2") => {
        const bias = weights(`${name}/${step}/bias/${whole}`).values;
        return addSmallLinear(graph, input, toMatrix(`${kernels}/${step}/Tensordot/Reshape_1`), bias);
      };
      return convolve(add("Relu", [convolve(normalise(state, name), "conv1")]), "conv2");
    },

    /** The mean of what is present, through the last layer, at length 1. */
    toVectors(state: string): void {
      const row = add("Unsqueeze", ["present", graph.integers([1])]);
      const sum = add("Squeeze", [add("MatMul", [row, state]), graph.integers([1])]);
      const mean = add("Div", [sum, add("ReduceSum", ["present", graph.integers([1])], { keepdims: 1 })]);
      const last = `${fixed}/hidden_layers/tanh_layer_0`;
      const dense = addLinear(graph, mean, toMatrix(`${last}/weights`), weights(`${last}/bias`).values);
      graph.give("vectors", "LpNormalization", [add("Tanh", [dense])], { axis: -1, p: 2 });
    },
  };
}

/** Of each position the sines of its angles and then their cosines. */
function toSignal(rates: Float32Array): Float32Array {
  const rows = Array.from({ length: maxTokens }, (_, position) => {
    const angles = Array.from(rates, (rate) => Math.fround(position * rate));
    return [...angles.map(Math.sin), ...angles.map(Math.cos)];
  });
  return Float32Array.from(rows.flat());
}
