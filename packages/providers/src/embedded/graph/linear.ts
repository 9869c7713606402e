import type { GraphBuilder } from "./graph-builder.ts";

/** Row-major. */
export type Matrix = { rows: number; columns: number; values: Float32Array };

/** `input · matrix + bias`. `isPositive`: the input has no negative numbers. */
export type Linear = (
  graph: GraphBuilder,
  input: string,
  layer: { matrix: Matrix; bias: Float32Array; isPositive?: boolean },
) => string;

/** With the full precision of the weights. */
export const addLinear: Linear = (graph, input, { matrix, bias }) => {
  const weights = graph.floats([matrix.rows, matrix.columns], matrix.values);
  return addBias(graph, graph.add("MatMul", [input, weights]), bias);
};

/**
 * In 8-bit integers, almost twice as fast, with a scale per column of the matrix and per row of the input: a row's
 * result is independent of the others. The input is unsigned and the matrix signed, the only combination with processor
 * instructions. Without those, processors add two products in 16 bits, which saturates: see `isExact` of the native
 * model.
 */
export const addSmallLinear: Linear = (graph, input, { matrix, bias, isPositive = false }) => {
  const { bytes, scales } = toBytes(matrix);
  const [zero, steps] = isPositive ? [0, 255] : [128, 127];
  const middle = graph.bytes([], Uint8Array.of(zero));
  const sizes = isPositive ? input : graph.add("Abs", [input]);
  const largest = graph.add("ReduceMax", [sizes], { axes: [-1], keepdims: 1 });
  const peak = graph.add("Max", [largest, graph.float(1e-9)]);
  const step = graph.float(1 / steps);
  const product = graph.add("MatMulIntegerToFloat", [
    graph.add("QuantizeLinear", [graph.add("Div", [input, peak]), step, middle]),
    graph.bytes([matrix.rows, matrix.columns], bytes),
    step,
    graph.floats([matrix.columns], scales),
    middle,
  ]);
  return addBias(graph, graph.add("Mul", [product, peak]), bias);
};

function addBias(graph: GraphBuilder, input: string, bias: Float32Array): string {
  return graph.add("Add", [input, graph.floats([bias.length], bias)]);
}

/** A byte is the weight in steps of 1/127 of the column's scale. */
function toBytes({ columns, values }: Matrix): { bytes: Int8Array; scales: Float32Array } {
  const scales = new Float32Array(columns);
  for (let at = 0; at < values.length; at += 1) {
    const size = Math.abs(values[at] ?? 0);
    if (size > (scales[at % columns] ?? 0)) scales[at % columns] = size;
  }
  // A column of zeros may have any scale.
  for (let column = 0; column < columns; column += 1) scales[column] = ((scales[column] ?? 0) || 1) / 127;
  const bytes = new Int8Array(values.length);
  for (let at = 0; at < values.length; at += 1) bytes[at] = Math.round((values[at] ?? 0) / (scales[at % columns] ?? 0));
  return { bytes, scales };
}
