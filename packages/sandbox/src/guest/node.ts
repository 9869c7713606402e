import type { Require, SystemCall } from "./requirer.ts";

/** Runs inside QuickJS, from its source text: paths as text. The host computes; the working directory is `/`. */
export function createPathModule(call: SystemCall) {
  const of =
    (method: string) =>
    (...given: unknown[]) =>
      call({ do: "path", method, arguments: given });
  const names = [
    "basename",
    "dirname",
    "extname",
    "format",
    "isAbsolute",
    "join",
    "normalize",
    "parse",
    "relative",
    "resolve",
  ];
  const path: Record<string, unknown> = { sep: "/", delimiter: ":" };
  for (const name of names) path[name] = of(name);
  return Object.assign(path, { posix: path });
}

/** Runs inside QuickJS, from its source text. */
export function createEventsModule() {
  type Listener = (...given: unknown[]) => void;
  type Entry = { listener: Listener; once: boolean };

  class EventEmitter {
    #entries = new Map<unknown, Entry[]>();
    on(name: unknown, listener: Listener) {
      this.#entries.set(name, [...this.#of(name), { listener, once: false }]);
      return this;
    }
    once(name: unknown, listener: Listener) {
      this.#entries.set(name, [...this.#of(name), { listener, once: true }]);
      return this;
    }
    off(name: unknown, listener: Listener) {
      const at = this.#of(name).findLastIndex((entry) => entry.listener === listener);
      if (at >= 0) this.#entries.set(name, this.#of(name).toSpliced(at, 1));
      return this;
    }
    emit(name: unknown, ...given: unknown[]) {
      const entries = this.#of(name);
      if (entries.length === 0 && name === "error") throw given[0] ?? new Error("Unhandled error.");
      this.#entries.set(
        name,
        entries.filter(({ once }) => !once),
      );
      for (const { listener } of entries) listener.apply(this, given);
      return entries.length > 0;
    }
    removeAllListeners(name?: unknown) {
      if (name === undefined) this.#entries.clear();
      else this.#entries.delete(name);
      return this;
    }
    listeners(name: unknown) {
      return this.#of(name).map(({ listener }) => listener);
    }
    listenerCount(name: unknown) {
      return this.#of(name).length;
    }
    eventNames() {
      return [...this.#entries].filter(([, entries]) => entries.length > 0).map(([name]) => name);
    }
    setMaxListeners() {
      return this;
    }
    addListener(name: unknown, listener: Listener) {
      return this.on(name, listener);
    }
    removeListener(name: unknown, listener: Listener) {
      return this.off(name, listener);
    }
    #of(name: unknown): Entry[] {
      return this.#entries.get(name) ?? [];
    }
  }
  const once = (emitter: EventEmitter, name: unknown) =>
    new Promise((resolve) => emitter.once(name, (...given) => resolve(given)));
  return Object.assign(EventEmitter, { EventEmitter, once, default: EventEmitter });
}

type Same = (one: unknown, other: unknown) => boolean;

/** Runs inside QuickJS, from its source text: deep equality, member by member. */
export function createDeepComparison() {
  /** Represents built-in objects by a value that is compared in their place. */
  const contentOf = (value: object): unknown => {
    if (value instanceof Date) return value.getTime();
    if (value instanceof RegExp) return String(value);
    return value instanceof Map || value instanceof Set ? [...value] : undefined;
  };
  const haveSameFields = (one: object, other: object, isSame: Same): boolean => {
    const fields = new Map(Object.entries(other));
    const own = Object.entries(one);
    return (
      own.length === fields.size &&
      own.every(([name, value]) => fields.has(name) && isDeep(value, fields.get(name), isSame))
    );
  };
  const isDeep = (one: unknown, other: unknown, isSame: Same): boolean => {
    if (isSame(one, other)) return true;
    if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
    const isOther = Object.getPrototypeOf(one) !== Object.getPrototypeOf(other);
    if (isOther && isSame === Object.is) return false;
    const content = contentOf(one);
    return content === undefined ? haveSameFields(one, other, isSame) : isDeep(content, contentOf(other), isSame);
  };
  return isDeep;
}

/** Runs inside QuickJS, from its source text. */
export function createAssertModule(isDeep: ReturnType<typeof createDeepComparison>) {
  class AssertionError extends Error {
    actual: unknown;
    expected: unknown;
    code = "ERR_ASSERTION";
    constructor({ message, actual, expected }: { message: string; actual?: unknown; expected?: unknown }) {
      super(message);
      this.name = "AssertionError";
      this.actual = actual;
      this.expected = expected;
    }
  }
  const show = (value: unknown) => {
    try {
      return JSON.stringify(value) ?? String(value);
    } catch {
      return String(value);
    }
  };
  const check = (
    holds: boolean,
    given: unknown,
    text: string,
    values: { actual?: unknown; expected?: unknown } = {},
  ) => {
    if (holds) return;
    if (given instanceof Error) throw given;
    throw new AssertionError({ message: given === undefined ? text : String(given), ...values });
  };
  // biome-ignore lint/suspicious/noDoubleEquals: what the loose checks of the module mean
  const loosely = (one: unknown, other: unknown) => one == other;
  const compare =
    (holds: (one: unknown, other: unknown) => boolean, word: string) =>
    (actual: unknown, expected: unknown, message?: unknown) =>
      check(holds(actual, expected), message, `${show(actual)} ${word} ${show(expected)}`, { actual, expected });
  const not =
    (holds: Same): Same =>
    (one: unknown, other: unknown) =>
      !holds(one, other);
  const deep = (one: unknown, other: unknown) => isDeep(one, other, loosely);
  const deepStrict = (one: unknown, other: unknown) => isDeep(one, other, Object.is);
  const fits = (error: unknown, expected: unknown) =>
    expected instanceof RegExp
      ? expected.test(String(error))
      : typeof expected !== "function" || error instanceof expected;

  const ok = (value: unknown, message?: unknown) => check(Boolean(value), message, `${show(value)} is not truthy`);
  return Object.assign((value: unknown, message?: unknown) => ok(value, message), {
    AssertionError,
    ok,
    equal: compare(loosely, "!="),
    notEqual: compare(not(loosely), "=="),
    strictEqual: compare(Object.is, "!=="),
    notStrictEqual: compare(not(Object.is), "==="),
    deepEqual: compare(deep, "does not equal"),
    deepStrictEqual: compare(deepStrict, "does not equal"),
    notDeepEqual: compare(not(deep), "equals"),
    notDeepStrictEqual: compare(not(deepStrict), "equals"),
    match: (text: unknown, pattern: RegExp, message?: unknown) =>
      check(pattern.test(String(text)), message, `${show(text)} does not match ${pattern}`),
    fail: (message: unknown = "Failed") => check(false, message, "Failed"),
    throws(run: () => unknown, expected?: unknown, message?: unknown) {
      try {
        run();
      } catch (error) {
        return check(fits(error, expected), message, `${String(error)} was not expected`);
      }
      check(false, message, "Missing expected exception.");
    },
    async rejects(given: Promise<unknown> | (() => Promise<unknown>), expected?: unknown, message?: unknown) {
      try {
        await (typeof given === "function" ? given() : given);
      } catch (error) {
        return check(fits(error, expected), message, `${String(error)} was not expected`);
      }
      check(false, message, "Missing expected rejection.");
    },
  });
}

/** Runs inside QuickJS, from its source text: in-memory compression. The host computes. */
export function createZlibModule(call: SystemCall, require: Require) {
  type Callback = (error: unknown, result?: unknown) => void;
  const { Buffer } = require("buffer");
  const zlib: Record<string, unknown> = {};
  const names = [
    "gzip",
    "gunzip",
    "deflate",
    "inflate",
    "deflateRaw",
    "inflateRaw",
    "brotliCompress",
    "brotliDecompress",
  ];
  for (const method of [...names, "unzip"]) {
    const compute = (data: unknown) => {
      const base64 = Buffer.from(data).toString("base64");
      return Buffer.from(call({ do: "zlib", method, base64 }), "base64");
    };
    zlib[`${method}Sync`] = compute;
    zlib[method] = (data: unknown, options: unknown, callback?: Callback) => {
      const done = (typeof options === "function" ? options : callback) as Callback;
      let result: unknown;
      try {
        result = compute(data);
      } catch (error) {
        done(error);
        return;
      }
      done(null, result);
    };
  }
  return zlib;
}

/** Runs inside QuickJS, from its source text: `node:querystring`, computed by the host. */
export function createQuerystringModule(call: SystemCall) {
  const toValue = (value: unknown) => {
    const isPlain = ["string", "boolean", "bigint"].includes(typeof value) || Number.isFinite(value);
    return isPlain ? String(value) : "";
  };
  const parse = (text: unknown, separator?: string, equals?: string) =>
    call({ do: "parse-query", text: String(text ?? ""), separator, equals });
  const stringify = (values: unknown, separator?: string, equals?: string) => {
    const entries = Object.entries(typeof values === "object" && values !== null ? values : {});
    const pairs = entries.map(([name, value]) => [name, Array.isArray(value) ? value.map(toValue) : toValue(value)]);
    return call({ do: "write-query", values: Object.fromEntries(pairs), separator, equals });
  };
  return {
    parse,
    stringify,
    decode: parse,
    encode: stringify,
    escape: (text: unknown) => call({ do: "escape-query", text: String(text) }),
    unescape: (text: unknown) => call({ do: "unescape-query", text: String(text) }),
  };
}
