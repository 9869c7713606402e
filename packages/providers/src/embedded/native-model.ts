import { createGraphBuilder, type GraphBuilder } from "./graph/graph-builder.ts";
import { addLinear, addSmallLinear, type Linear, type Matrix } from "./graph/linear.ts";
import { toOnnx } from "./graph/onnx.ts";
import { createTokenizer } from "./graph/tokenizer.ts";
import { readVocabulary, readWeights, type Weights } from "./graph/weights.ts";
import { loadRuntime, type Runtime, sessionOptions, type Tensor } from "./runtime.ts";
import { type EmbedWindows, toWindowText } from "./windows.ts";

/** Tokens per run of the graph: the intermediate results of more do not fit the processor's cache. */
const tokensAtOnce = 256;

/**
 * The model on the native runtime, about fifteen times as fast as on WebAssembly; the cosine of its vectors to that
 * model's is 0.999 or more. Run it in a separate process: terminating a thread while it computes ends the process.
 * Rejects if the runtime is not installed or cannot run here.
 */
export async function openNativeModel({ linear }: { linear?: Linear | undefined } = {}): Promise<EmbedWindows> {
  const runtime = loadRuntime();
  const small = linear ?? ((await isExact(runtime)) ? addSmallLinear : addLinear);
  const tokenize = createTokenizer(await readVocabulary());
  const session = await runtime.InferenceSession.create(buildGraph(await readWeights(), small), sessionOptions);

  async function run(batch: readonly (readonly number[])[]): Promise<Float32Array[]> {
    const width = Math.max(...batch.map(({ length }) => length));
    const shape = [batch.length, width];
    const ids = new Int32Array(batch.length * width);
    const present = new Float32Array(ids.length);
    for (const [row, tokens] of batch.entries()) {
      ids.set(tokens, row * width);
      present.fill(1, row * width, row * width + tokens.length);
    }
    const found = await session.run({
      ids: new runtime.Tensor("int32", ids, shape),
      present: new runtime.Tensor("float32", present, shape),
      positions: new runtime.Tensor(
        "int32",
        Int32Array.from({ length: width }, (_, at) => at),
        [width],
      ),
    });
    const { data } = found.vectors as Tensor;
    return batch.map((_, row) => data.slice(row * dimension, (row + 1) * dimension));
  }

  return async (windows, signal) => {
    const all = windows.map((text, index) => ({ index, tokens: tokenize(toWindowText(text)).slice(0, maxTokens) }));
    // A batch is as wide as its longest text, its last.
    all.sort((one, other) => one.tokens.length - other.tokens.length);
    const vectors: Float32Array[] = [];
    for (let start = 0, end = 0; start < all.length; start = end) {
      signal.throwIfAborted();
      do end += 1;
      while (end < all.length && (all[end]?.tokens.length ?? 0) * (end + 1 - start) <= tokensAtOnce);
      const batch = all.slice(start, end);
      const found = await run(batch.map(({ tokens }) => tokens));
      for (const [at, { index }] of batch.entries()) vectors[index] = found[at] as Float32Array;
    }
    return vectors;
  };
}

/**
 * Whether this processor multiplies bytes exactly (VNNI on x64, dot products on ARM). Others saturate, which lowers
 * cosines to 0.96 from 0.999, so they use the weights unquantised.
 */
async function isExact({ InferenceSession, Tensor }: Runtime): Promise<boolean> {
  const [rows, columns] = [64, 32];
  const graph = createGraphBuilder();
  // All bytes at their maximum.
  const matrix = { rows, columns, values: new Float32Array(rows * columns).fill(1) };
  const product = addSmallLinear(graph, "ones", { matrix, bias: new Float32Array(columns) });
  graph.give("sums", "Identity", [product], {});
  const { nodes, tensors } = graph;
  const inputs = [{ name: "ones", type: "float32", shape: ["rows", rows] }] as const;
  const outputs = [{ name: "sums", type: "float32", shape: ["rows", columns] }] as const;
  const session = await InferenceSession.create(
    toOnnx({ name: "trial", nodes, tensors, inputs, outputs }),
    sessionOptions,
  );
  const ones = new Tensor("float32", new Float32Array(2 * rows).fill(1), [2, rows]);
  const { data } = (await session.run({ ones })).sums as Tensor;
  return data.every((sum) => Math.abs(sum - rows) < 0.01);
}

/** Maximum tokens that the model sees of a text; further ones are left out. */
const maxTokens = 128;
const dimension = 512;

const heads = 4;
const fixed = "module/Encoder_en";
const applied = "module_apply_default/Encoder_en";
const encode = "KonaTransformer/Encode";
const timing = `${applied}/${encode}/TransformerStack/Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1`;

type Layer = "Layer_0" | "Layer_1";

/**
 * The Universal Sentence Encoder lite as an ONNX graph: two layers of a transformer, the mean of the tokens and a dense
 * layer. `small` adds its large matrices, except those applied to the raw embeddings, which would cost the most
 * precision.
 *
 * Inputs: `ids` [texts, tokens]; `present` [texts, tokens], 1 for a token and 0 after the end of a shorter text; and
 * `positions`, 0 to tokens - 1, at most `maxTokens`. Each text needs a token. Output: `vectors` [texts, 512] of length
 * 1.
 */
function buildGraph(weights: Weights, small: Linear): Uint8Array {
  const graph = createGraphBuilder();
  const parts = createParts(graph, weights);
  const tokens = parts.embedding();
  const widened = parts.linear(addLinear, tokens, `${applied}/${encode}/Layer_0/TransformerLayer/dense`);
  let state = graph.add("Add", [parts.attention(addLinear, tokens, "Layer_0"), widened]);
  state = graph.add("Add", [parts.feedForward(small, state, "Layer_0"), state]);
  state = graph.add("Add", [parts.attention(small, state, "Layer_1"), state]);
  state = graph.add("Add", [parts.feedForward(small, state, "Layer_1"), state]);
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
  /** In the format of the attention operator. */
  const mask = add("Cast", ["present"], { to: 6 });

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
    /** Twice the embedding of each token, plus its positional encoding. */
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
      linear(graph, state, {
        matrix: toMatrix(`${name}/kernel/${whole}`),
        bias: weights(`${name}/bias/${whole}`).values,
      }),

    attention(linear: Linear, state: string, layer: Layer): string {
      const part = (name: string) => `${encode}/${layer}/TransformerLayer/MultiheadAttention/${name}_transform_single`;
      const transform = (input: string, name: string) => {
        const bias = weights(`${applied}/${part(name)}/bias/${whole}`).values;
        return linear(graph, input, { matrix: toMatrix(`${fixed}/${part(name)}/kernel/part_0`), bias });
      };
      const name = `${applied}/${encode}/${layer}/TransformerLayer`;
      const width = weights(`${applied}/${part("qkv")}/bias/${whole}`).values.length / 3;
      const all = graph.split(transform(normalise(state, name), "qkv"), [width, width, width], 2);
      return transform(add("MultiHeadAttention", [...all, "", mask], { num_heads: heads }), "output");
    },

    feedForward(linear: Linear, state: string, layer: Layer): string {
      const name = `${applied}/${encode}/${layer}/TransformerLayer/FFN`;
      const kernels = `${applied}/${encode}/TransformerStack/${layer}/TransformerLayer/FFN`;
      const convolve = (input: string, step: "conv1" | "conv2", isPositive: boolean) => {
        const bias = weights(`${name}/${step}/bias/${whole}`).values;
        return linear(graph, input, { matrix: toMatrix(`${kernels}/${step}/Tensordot/Reshape_1`), bias, isPositive });
      };
      return convolve(add("Relu", [convolve(normalise(state, name), "conv1", false)]), "conv2", true);
    },

    /** The mean over present tokens, through the last layer, normalised. */
    toVectors(state: string): void {
      const row = add("Unsqueeze", ["present", graph.integers([1])]);
      const sum = add("Squeeze", [add("MatMul", [row, state]), graph.integers([1])]);
      const mean = add("Div", [sum, add("ReduceSum", ["present", graph.integers([1])], { keepdims: 1 })]);
      const last = `${fixed}/hidden_layers/tanh_layer_0`;
      const dense = addLinear(graph, mean, {
        matrix: toMatrix(`${last}/weights`),
        bias: weights(`${last}/bias`).values,
      });
      graph.give("vectors", "LpNormalization", [add("Tanh", [dense])], { axis: -1, p: 2 });
    },
  };
}

/** For each position the sines of its angles, then their cosines. */
function toSignal(rates: Float32Array): Float32Array {
  const rows = Array.from({ length: maxTokens }, (_, position) => {
    const angles = Array.from(rates, (rate) => Math.fround(position * rate));
    return [...angles.map(Math.sin), ...angles.map(Math.cos)];
  });
  return Float32Array.from(rows.flat());
}
