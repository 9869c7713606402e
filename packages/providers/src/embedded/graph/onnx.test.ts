import assert from "node:assert/strict";
import { test } from "node:test";
import { toOnnx } from "./onnx.ts";

const hexOf = (text: string) => Buffer.from(text).toString("hex");

test("a graph is written as the protobuf messages that ONNX defines", () => {
  const bytes = toOnnx({
    name: "g",
    nodes: [
      { op: "Op", inputs: ["a"], outputs: ["b"], attributes: { axis: -1, perm: [0, 200] }, reals: { e: 0.5 } },
      { op: "MultiHeadAttention", inputs: [], outputs: [], attributes: {} },
    ],
    tensors: [{ name: "t", type: "uint8", shape: [2], bytes: Uint8Array.of(7, 255) }],
    inputs: [{ name: "a", type: "float32", shape: ["n", 3] }],
    outputs: [],
  });
  const hex = [
    // The model: IR version 8, its graph, operators of version 17, and the runtime's own.
    "0808",
    "3a8a01",
    // The node: input, output, operator, and an attribute of each kind.
    "0a3d" + "0a0161" + "120162" + "22024f70",
    "2a14" + "0a0461786973" + "18ffffffffffffffffff01" + "a00102",
    `2a0e${"0a047065726d"}${"4000"}${"40c801"}${"a00107"}`,
    "2a0b" + "0a0165" + "150000003f" + "a00101",
    // A node of ONNX Runtime's own operators, with their domain.
    `0a232212${hexOf("MultiHeadAttention")}3a0d${hexOf("com.microsoft")}`,
    // The graph's name, the constant and the input.
    "120167",
    "2a0b" + "0802" + "1002" + "420174" + "4a0207ff",
    "5a14" + "0a0161" + "120f" + "0a0d" + "0801" + "1209" + "0a03" + "12016e" + "0a02" + "0803",
    "4202" + "1011",
    `42110a0d${hexOf("com.microsoft")}1001`,
  ].join("");
  assert.equal(Buffer.from(bytes).toString("hex"), hex);
});
