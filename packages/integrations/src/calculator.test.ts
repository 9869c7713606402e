import assert from "node:assert/strict";
import { test } from "node:test";
import { startBench } from "./testing/bench.ts";

/** Each with what the model reads. */
const results: Record<string, string> = {
  "0.1 + 0.2": "0.3",
  "1/3*3": "1",
  "1/3": "0.333333333333333",
  "1/7 + 1/7": "0.285714285714286",
  "1.1 * 1.1 - 1.21": "0",
  "(1200 * 1.19 - 80) / 12": "112.333333333333",
  "2^64": "18446744073709551616",
  "2 ** 0.5 ^ 2": "1.18920711500272",
  "123456789 * 987654321": "121932631112635269",
  "1e3 + .5": "1000.5",
  "0.1^20": "0.00000000000000000001",
  "10^-50": "1e-50",
  "1e-400": "0",
  "-2^2": "-4",
  "2^-1": "0.5",
  "2^3^2": "512",
  "--3": "3",
  "7 - 3 - 2": "2",
  "12 / 3 * 2": "8",
  "7 × 8 ÷ 4 − 1": "13",
  "50%": "0.5",
  "200 * 15%": "30",
  "50% - 3": "-2.5",
  "10 % 3": "1",
  "-7 % 3": "2",
  "mod(7.5, 2)": "1.5",
  "sqrt(2)^2": "2",
  "SQRT(16)": "4",
  "abs(-3.5)": "3.5",
  "min(3, 1/3, 2)": "0.333333333333333",
  "max(1, 2.5, 2)": "2.5",
  "sum(1, 2, 3)": "6",
  "floor(-1.2)": "-2",
  "ceil(1.2)": "2",
  "round(2.5) + round(-2.5)": "0",
  "round(2.675, 2)": "2.68",
  "round(1234, -2)": "1200",
  "round(pi, 4)": "3.1416",
  "pow(2, 10)": "1024",
  "exp(0)": "1",
  "ln(e)": "1",
  "log(1000)": "3",
  "log(8, 2)": "3",
  "sin(pi)": "0",
  "cos(pi / 3)": "0.5",
  "degrees(atan2(1, 1))": "45",
  "cbrt(-8)": "-2",
  "0^0": "1",
  "(1 + 0.045/12)^360": "3.84769804996339",
};

/** Each with what the model is told. */
const mistakes: Record<string, RegExp> = {
  "": /is empty/,
  "1 +": /A number is missing before the end/,
  "* 2": /A number is missing before \*/,
  "2(3)": /An operator such as \* is missing before \(/,
  "5 mod 3": /missing before mod/,
  "(1": /closing parenthesis is missing/,
  "max(1": /closing parenthesis is missing/,
  "1)": /closing parenthesis has no matching opening/,
  "1,000 + 1": /without thousands separators/,
  "sum(1,000)": /000 begins with 0/,
  "x + 1": /x is not known\. Functions: abs, .* Constants: pi, e, tau/,
  constructor: /constructor is not known/,
  "toString()": /toString is not known/,
  "process.exit()": /\. is not supported/,
  "12 €": /€ is not supported/,
  "max()": /max takes 1 to 100 values, not 0/,
  "sqrt(1, 2)": /sqrt takes 1 value, not 2/,
  "round(1, 1.5)": /whole number from -100 to 100/,
  "1 / 0": /divides by zero/,
  "5 % (2 - 2)": /divides by zero/,
  "mod(1, 0)": /divides by zero/,
  "sqrt(-1)": /square root of a negative number/,
  "(-8)^(1/3)": /not a real number/,
  "ln(0)": /infinite or too large/,
  "9^9^9": /infinite or too large/,
  "1e400": /infinite or too large/,
  "0^-1": /infinite or too large/,
};

test("computes", async (t) => {
  const { call } = await startBench(t);
  for (const [expression, content] of Object.entries(results)) {
    assert.deepEqual(await call("calculator", {}, { expression }), { content }, expression);
  }
});

test("says what is wrong with an expression", async (t) => {
  const { call } = await startBench(t);
  for (const [expression, message] of Object.entries(mistakes)) {
    const { content, isError } = await call("calculator", {}, { expression });
    assert.equal(isError, true, expression);
    assert.match(content, message, expression);
  }
  assert.match((await call("calculator", {}, {})).content, /expression/);
  assert.match((await call("calculator", {}, { expression: 5 })).content, /expression: .*"string"/);
});

test("whatever it is given ends soon", async (t) => {
  const { call } = await startBench(t);
  const hostile = [
    "9".repeat(1_000),
    "-".repeat(999) + 1,
    "(".repeat(1_000),
    "abs(".repeat(250),
    "2^".repeat(499) + 2,
    "1e999999999",
    `0.${"0".repeat(900)}1^2^2^2`,
    `1${"/3.1234567890123".repeat(60)}`,
    `1${"*99999999999999999999".repeat(47)}`,
    "pow(1.0000001, 9007199254740991)",
    "round(1e300, 100) % 1e-300",
  ];
  for (const expression of hostile) {
    const { content } = await call("calculator", {}, { expression });
    assert.ok(content.length < 1_100, expression);
  }
  const tooLong = await call("calculator", {}, { expression: "1".repeat(1_001) });
  assert.match(tooLong.content, /more than 1000 characters/);
});
