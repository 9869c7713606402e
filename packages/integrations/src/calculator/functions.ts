import type { Outcome } from "../tool-name.ts";
import { add, compare, floor, modulo, multiply, negate, power, toInteger, toNumber, type Value } from "./number.ts";

/** What can be called in an expression. Results that are no number of the real line are refused by the caller. */
export type CalculatorFunction = {
  /** Fewest and most arguments. */
  readonly takes: readonly [number, number];
  readonly compute: (...values: Value[]) => Outcome<Value>;
};

export const constants: Readonly<Record<string, Value>> = { pi: Math.PI, e: Math.E, tau: 2 * Math.PI };

export const divisionByZero = { ok: false, message: "It divides by zero." } as const;

const most = 100;

export const functions: Readonly<Record<string, CalculatorFunction>> = {
  abs: exact([1, 1], (x) => (compare(x, 0) < 0 ? negate(x) : x)),
  min: exact([1, most], (...all) => all.reduce((a, b) => (compare(b, a) < 0 ? b : a))),
  max: exact([1, most], (...all) => all.reduce((a, b) => (compare(b, a) > 0 ? b : a))),
  sum: exact([1, most], (...all) => all.reduce(add)),
  floor: exact([1, 1], floor),
  ceil: exact([1, 1], (x) => negate(floor(negate(x)))),
  round: { takes: [1, 2], compute: round },
  pow: exact([2, 2], power),
  mod: { takes: [2, 2], compute: (a, b) => (toNumber(b) === 0 ? divisionByZero : { ok: true, value: modulo(a, b) }) },
  sqrt: { takes: [1, 1], compute: squareRoot },
  cbrt: rounded([1, 1], Math.cbrt),
  exp: rounded([1, 1], Math.exp),
  ln: rounded([1, 1], Math.log),
  log2: rounded([1, 1], Math.log2),
  log10: rounded([1, 1], Math.log10),
  log: rounded([1, 2], (x, base?: number) => (base === undefined ? Math.log10(x) : Math.log(x) / Math.log(base))),
  sin: rounded([1, 1], snapped(Math.sin)),
  cos: rounded([1, 1], snapped(Math.cos)),
  tan: rounded([1, 1], snapped(Math.tan)),
  asin: rounded([1, 1], Math.asin),
  acos: rounded([1, 1], Math.acos),
  atan: rounded([1, 1], Math.atan),
  atan2: rounded([2, 2], Math.atan2),
  radians: rounded([1, 1], (degrees) => (degrees * Math.PI) / 180),
  degrees: rounded([1, 1], (radians) => (radians * 180) / Math.PI),
};

function exact(takes: CalculatorFunction["takes"], compute: (...values: [Value, Value]) => Value): CalculatorFunction {
  return { takes, compute: (...values) => ({ ok: true, value: compute(...(values as [Value, Value])) }) };
}

function rounded(takes: CalculatorFunction["takes"], compute: (x: number, y: number) => number): CalculatorFunction {
  return exact(takes, (...values) => compute(...(values.map(toNumber) as [number, number])));
}

/** A double of pi is not pi: what is 0 there is 0 here. */
function snapped(compute: (angle: number) => number): (angle: number) => number {
  return (angle) => {
    const value = compute(angle);
    return Math.abs(angle) > 1 && Math.abs(value) < 1e-15 ? 0 : value;
  };
}

/** Halves are rounded away from zero, as people do it. */
function round(value: Value, digits: Value = 0): Outcome<Value> {
  const places = toInteger(digits);
  if (places === undefined || Math.abs(places) > 100) {
    return { ok: false, message: "round takes a whole number from -100 to 100 as its second argument." };
  }
  const scale = power(ten, places);
  const scaled = multiply(value, scale);
  const half = add(compare(scaled, 0) < 0 ? negate(scaled) : scaled, oneHalf);
  const whole = floor(half);
  return { ok: true, value: multiply(compare(scaled, 0) < 0 ? negate(whole) : whole, power(scale, -1)) };
}

const ten: Value = { over: 10n, under: 1n };
const oneHalf: Value = { over: 1n, under: 2n };

function squareRoot(value: Value): Outcome<Value> {
  if (compare(value, 0) < 0) return { ok: false, message: "It takes the square root of a negative number." };
  return { ok: true, value: Math.sqrt(toNumber(value)) };
}
