/**
 * What the calculator counts with: a fraction in lowest terms with a positive denominator, which is exact, or a double
 * where there is no such fraction or it would be too long. A double may be NaN or infinite: the caller refuses it.
 */
export type Value = Fraction | number;
type Fraction = { readonly over: bigint; readonly under: bigint };

/** Longest numerator and denominator: keeps an operation within microseconds and every fraction in a double's range. */
const maxBits = 1_000;

/** Reads a decimal such as `1.5e-3`. */
export function parseDecimal(text: string): Value {
  const [, whole = "", fraction = "", exponent = "0"] = /^(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const shift = Number(exponent) - fraction.length;
  if (Math.abs(shift) > maxBits) return Number(text);
  const digits = BigInt(`${whole}${fraction}`);
  const scale = 10n ** BigInt(Math.abs(shift));
  return (shift < 0 ? toFraction(digits, scale) : toFraction(digits * scale, 1n)) ?? Number(text);
}

export function toNumber(value: Value): number {
  return typeof value === "number" ? value : Number(value.over) / Number(value.under);
}

/** The whole number that the value is; undefined when it is none, or too large to be counted with. */
export function toInteger(value: Value): number | undefined {
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

/** `b` is not zero. */
export function divide(a: Value, b: Value): Value {
  return exactly(a, b, (x, y) => toFraction(x.over * y.under, x.under * y.over)) ?? toNumber(a) / toNumber(b);
}

/** The remainder, with the sign of `b`. `b` is not zero. */
export function modulo(a: Value, b: Value): Value {
  return add(a, negate(multiply(floor(divide(a, b)), b)));
}

export function floor(value: Value): Value {
  if (typeof value === "number") return Math.floor(value);
  const { over, under } = value;
  const towardsZero = over / under;
  return { over: over < 0n && towardsZero * under !== over ? towardsZero - 1n : towardsZero, under: 1n };
}

/** 0 to a power below 0 is infinite; a root of a negative number is NaN. */
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
export function compare(a: Value, b: Value): number {
  if (typeof a === "number" || typeof b === "number") return toNumber(a) - toNumber(b);
  return Number(a.over * b.under - b.over * a.under);
}

export function isZero(value: Value): boolean {
  return toNumber(value) === 0;
}

/** All digits of whole numbers and short decimals; else 15 significant digits, which a double is good for. */
export function toText(value: Value): string {
  const exact = typeof value === "number" ? undefined : toExactText(value);
  return exact ?? String(Number(toNumber(value).toPrecision(15)));
}

/** Undefined for a fraction whose decimal has no end, or more than `maxDecimals` digits behind the point. */
function toExactText({ over, under }: Fraction): string | undefined {
  if (under === 1n) return String(over);
  const scaled = over * 10n ** BigInt(maxDecimals);
  if (scaled % under !== 0n) return undefined;
  const digits = String(scaled / under)
    .replace("-", "")
    .padStart(maxDecimals + 1, "0");
  const decimals = digits.slice(-maxDecimals).replace(/0+$/, "");
  return `${over < 0n ? "-" : ""}${digits.slice(0, -maxDecimals)}.${decimals}`;
}

const maxDecimals = 30;

function exactly(a: Value, b: Value, operate: (a: Fraction, b: Fraction) => Fraction | undefined): Value | undefined {
  return typeof a === "number" || typeof b === "number" ? undefined : operate(a, b);
}

/** Undefined when it would be too long. */
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
