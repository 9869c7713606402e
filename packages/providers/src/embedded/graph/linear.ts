import type { GraphBuilder } from "./graph-builder.ts";

/** Row by row. */
export type Matrix = { rows: number; columns: number; values: Float32Array };

/** What is stored for 0; one of 255 steps is as far from it as a weight or an input may be. */
const zero = 128;
const steps = 127;

/** `input · matrix + bias`, as exact as the weights. */
export function addLinear(graph: GraphBuilder, input: string, matrix: Matrix, bias: Float32Array): string {
  const weights = graph.floats([matrix.rows, matrix.columns], matrix.values);
  return addBias(graph, graph.add("MatMul", [input, weights]), bias);
}

/**
 * `input · matrix + bias` in 8-bit integers, a third faster or more, with a scale for each column of the matrix and each row
 * of the input: a row's result does not depend on the others. Both sides are unsigned, because processors with AVX2 alone
 * saturate the sum of two products of unsigned and signed bytes: 0.96 in place of 0.999 in the cosine of the vectors.
 */
export function addSmallLinear(graph: GraphBuilder, input: string, matrix: Matrix, bias: Float32Array): string {
  const { bytes, scales } = toBytes(matrix);
  const weights = graph.bytes([matrix.rows, matrix.columns], bytes);
  const middle = graph.bytes([], Uint8Array.of(zero));
  const largest = graph.add("ReduceMax", [graph.add("Abs", [input])], { axes: [-1], keepdims: 1 });
  const peak = graph.add("Max", [largest, graph.float(1e-9)]);
  const small = graph.add("QuantizeLinear", [graph.add("Div", [input, peak]), graph.float(1 / steps), middle]);
  const product = graph.add("Cast", [graph.add("MatMulInteger", [small, weights, middle, middle])], { to: 1 });
  const columnScales = graph.floats(
    [matrix.columns],
    scales.map((scale) => scale / steps),
  );
  return addBias(graph, graph.add("Mul", [graph.add("Mul", [product, columnScales]), peak]), bias);
}

function addBias(graph: GraphBuilder, input: string, bias: Float32Array): string {
  return graph.add("Add", [input, graph.floats([bias.length], bias)]);
}

function toBytes({ columns, values }: Matrix): { bytes: Uint8Array; scales: Float32Array } {
  const scales = new Float32Array(columns);
  for (let at = 0; at < values.length; at += 1) {
    const size = Math.abs(values[at] as number);
    if (size > (scales[at % columns] as number)) scales[at % columns] = size;
  }
  // A column of zeros may have any scale.
  for (let column = 0; column < columns; column += 1) scales[column] = ((scales[column] as number) || 1) / steps;
  const bytes = new Uint8Array(values.length);
  for (let at = 0; at < values.length; at += 1)
    bytes[at] = zero + Math.round((values[at] as number) / (scales[at % columns] as number));
  return { bytes, scales };
}
