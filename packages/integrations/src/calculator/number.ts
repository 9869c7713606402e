import type { Outcome } from "../tool-name.ts";

/**
 * A number of the calculator: an exact fraction in lowest terms with a positive denominator, or a double if there is no
 * such fraction or it would be too long. A double may be NaN or infinite: the caller rejects it.
 */
export type Value = Fraction | number;
type Fraction = { readonly over: bigint; readonly under: bigint };

/**
 * Maximum bits of numerator and denominator: keeps an operation within microseconds and every fraction in a double's
 * range.
 */
const maxBits = 1_000;

/** Reads a decimal such as `1.5e-3`. */
export function parseDecimal(text: string): Value {
  const [, whole = "", fraction = "", exponent = "0"] = /^(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const shift = Number(exponent) - fraction.length;
  if (Math.abs(shift) > maxBits) return Number(text);
  const digits = BigInt(`${whole}${fraction}`);
  const scale = 10n ** BigInt(Math.abs(shift));
  return (shift < 0 ? toFraction(digits, scale) : toFraction(digits * scale, 1n)) ?? Number(text);
}

export function toNumber(value: Value): number {
  return typeof value === "number" ? value : Number(value.over) / Number(value.under);
}

/** The value as an integer; undefined if it is none, or too large to calculate with. */
function toInteger(value: Value): number | undefined {
  const number = toNumber(value);
  const isWhole = Number.isSafeInteger(number) && (typeof value === "number" || value.under === 1n);
  return isWhole ? number : undefined;
}

export function negate(value: Value): Value {
  return typeof value === "number" ? -value : { ...value, over: -value.over };
}

export function add(a: Value, b: Value): Value {
  return (
    exactly(a, b, (x, y) => toFraction(x.over * y.under + y.over * x.under, x.under * y.under)) ??
    toNumber(a) + toNumber(b)
  );
}

export function multiply(a: Value, b: Value): Value {
  return exactly(a, b, (x, y) => toFraction(x.over * y.over, x.under * y.under)) ?? toNumber(a) * toNumber(b);
}

/** `b` must not be zero. */
export function divide(a: Value, b: Value): Value {
  return exactly(a, b, (x, y) => toFraction(x.over * y.under, x.under * y.over)) ?? toNumber(a) / toNumber(b);
}

/** The remainder, with the sign of `b`, which must not be zero. */
export function modulo(a: Value, b: Value): Value {
  return add(a, negate(multiply(floor(divide(a, b)), b)));
}

function floor(value: Value): Value {
  if (typeof value === "number") return Math.floor(value);
  const { over, under } = value;
  const towardsZero = over / under;
  return { over: over < 0n && towardsZero * under !== over ? towardsZero - 1n : towardsZero, under: 1n };
}

/** 0 to a negative power is infinite; a root of a negative number is NaN. */
export function power(base: Value, exponent: Value): Value {
  const times = toInteger(exponent);
  if (times === undefined || typeof base === "number" || (times < 0 && isZero(base))) {
    return toNumber(base) ** toNumber(exponent);
  }
  const { over, under } = base;
  if (Math.abs(times) * Math.max(bits(over), bits(under)) > maxBits) return toNumber(base) ** times;
  const count = BigInt(Math.abs(times));
  const [raisedOver, raisedUnder] = [over ** count, under ** count];
  return (
    (times < 0 ? toFraction(raisedUnder, raisedOver) : toFraction(raisedOver, raisedUnder)) ?? toNumber(base) ** times
  );
}

/** Below 0, 0 or above 0: as `a` is less than, equal to or greater than `b`. */
function compare(a: Value, b: Value): number {
  if (typeof a === "number" || typeof b === "number") return toNumber(a) - toNumber(b);
  return Number(a.over * b.under - b.over * a.under);
}

export function isZero(value: Value): boolean {
  return toNumber(value) === 0;
}

/** All digits of integers and short decimals; otherwise 15 significant digits, the precision of a double. */
export function toText(value: Value): string {
  const exact = typeof value === "number" ? undefined : toExactText(value);
  return exact ?? String(Number(toNumber(value).toPrecision(15)));
}

/** Undefined for a fraction whose decimal expansion is infinite, or longer than `maxDecimals`. */
function toExactText({ over, under }: Fraction): string | undefined {
  if (under === 1n) return String(over);
  const scaled = over * 10n ** BigInt(maxDecimals);
  if (scaled % under !== 0n) return undefined;
  const digits = String(scaled / under)
    .replace("-", "")
    .padStart(maxDecimals + 1, "0");
  const decimals = digits.slice(-maxDecimals).replace(/(?<!0)0+$/, "");
  return `${over < 0n ? "-" : ""}${digits.slice(0, -maxDecimals)}.${decimals}`;
}

const maxDecimals = 30;

function exactly(a: Value, b: Value, operate: (a: Fraction, b: Fraction) => Fraction | undefined): Value | undefined {
  return typeof a === "number" || typeof b === "number" ? undefined : operate(a, b);
}

/** Undefined if it would be too long. */
function toFraction(over: bigint, under: bigint): Fraction | undefined {
  const divisor = greatestCommonDivisor(over, under) * (under < 0n ? -1n : 1n);
  const fraction = { over: over / divisor, under: under / divisor };
  return bits(fraction.over) > maxBits || bits(fraction.under) > maxBits ? undefined : fraction;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

function bits(value: bigint): number {
  return (value < 0n ? -value : value).toString(16).length * 4;
}

/** A function available in expressions. The caller rejects results that are not real numbers. */
type CalculatorFunction = {
  /** Minimum and maximum number of arguments. */
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

/** Pi as a double is inexact: results that should be 0 become 0. */
function snapped(compute: (angle: number) => number): (angle: number) => number {
  return (angle) => {
    const value = compute(angle);
    return Math.abs(angle) > 1 && Math.abs(value) < 1e-15 ? 0 : value;
  };
}

/** Rounds halves away from zero, as people do. */
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
