import type { Require } from "./requirer.ts";

/** Runs inside QuickJS, from its source text: text encoding. */
export function createEncodingModule(require: Require) {
  const bytes = () => require("buffer").Buffer;
  const encodings: Record<string, string> = {
    ...{ "utf-8": "utf8", utf8: "utf8", "utf-16le": "utf16le", latin1: "latin1" },
    ...{ "iso-8859-1": "latin1", ascii: "latin1", "us-ascii": "latin1" },
  };

  class TextEncoder {
    encoding = "utf-8";
    encode(text: unknown = "") {
      return new Uint8Array(bytes().from(String(text), "utf8"));
    }
  }
  class TextDecoder {
    encoding: string;
    #isFatal: boolean;
    #keepsMark: boolean;
    constructor(label: unknown = "utf-8", options: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
      this.encoding = String(label).trim().toLowerCase();
      if (!Object.hasOwn(encodings, this.encoding)) throw new RangeError(`The sandbox has no encoding ${label}.`);
      this.#isFatal = options.fatal === true;
      this.#keepsMark = options.ignoreBOM === true;
    }
    decode(data?: ArrayBuffer | ArrayBufferView) {
      if (data === undefined) return "";
      const view = ArrayBuffer.isView(data)
        ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
        : new Uint8Array(data);
      const text = bytes().from(view).toString(encodings[this.encoding]);
      if (this.#isFatal && text.includes("\ufffd") && new TextEncoder().encode(text).length !== view.length) {
        throw new TypeError("The encoded data was not valid.");
      }
      return this.#keepsMark ? text : text.replace(/^\ufeff/, "");
    }
  }

  return { TextEncoder, TextDecoder };
}

/** Runs inside QuickJS, from its source text: deep copies of values. */
export function createCloneModule() {
  type Copy = (value: unknown) => unknown;
  type Copier = {
    type: new (...given: never[]) => object;
    make(value: never): object;
    fill?(from: never, to: never, copy: Copy): void;
  };
  const refuse = (value: unknown): never => {
    throw Object.assign(new Error(`${String(value)} could not be cloned.`), { name: "DataCloneError" });
  };
  const copiers: Copier[] = [
    { type: Date, make: (value: Date) => new Date(value.getTime()) },
    // linear: the code's own pattern, within its own time
    { type: RegExp, make: (value: RegExp) => new RegExp(value.source, value.flags) },
    { type: ArrayBuffer, make: (value: ArrayBuffer) => value.slice(0) },
    { type: Object.getPrototypeOf(Uint8Array), make: (value: Uint8Array) => value.slice() },
    { type: Error, make: (value: Error) => Object.assign(new Error(value.message), { name: value.name }) },
    ...[Promise, WeakMap, WeakSet].map((type) => ({ type, make: refuse })),
    {
      type: Map,
      make: () => new Map(),
      fill(from: Map<unknown, unknown>, to: Map<unknown, unknown>, copy: Copy) {
        for (const [name, entry] of from) to.set(copy(name), copy(entry));
      },
    },
    {
      type: Set,
      make: () => new Set(),
      fill(from: Set<unknown>, to: Set<unknown>, copy: Copy) {
        for (const entry of from) to.add(copy(entry));
      },
    },
  ];
  const plain = {
    make: (value: object) => (Array.isArray(value) ? [] : {}),
    fill(from: object, to: Record<string, unknown>, copy: Copy) {
      for (const [name, entry] of Object.entries(from)) to[name] = copy(entry);
    },
  };
  const structuredClone = (given: unknown) => {
    const made = new Map<unknown, unknown>();
    const copy: Copy = (value) => {
      if (typeof value === "function" || typeof value === "symbol") return refuse(value);
      if (typeof value !== "object" || value === null) return value;
      if (made.has(value)) return made.get(value);
      const { make, fill } = copiers.find(({ type }) => value instanceof type) ?? plain;
      const copied = make(value as never);
      made.set(value, copied);
      fill?.(value as never, copied as never, copy);
      return copied;
    };
    return copy(given);
  };
  return { structuredClone };
}

/** Runs inside QuickJS, from its source text: events, and abort signals. */
export function createAbortModule(startTimer: (run: () => void, ms: number) => unknown) {
  type Listener = ((event: Event) => void) | { handleEvent(event: Event): void };

  class Event {
    type: string;
    target: unknown = null;
    constructor(type: unknown) {
      this.type = String(type);
    }
  }
  class EventTarget {
    #listeners: { type: string; listener: Listener; once: boolean }[] = [];
    addEventListener(type: string, listener: Listener, options: { once?: boolean } | boolean = {}) {
      const once = typeof options === "object" && options.once === true;
      if (this.#listeners.some((one) => one.type === type && one.listener === listener)) return;
      this.#listeners.push({ type, listener, once });
    }
    removeEventListener(type: string, listener: Listener) {
      this.#listeners = this.#listeners.filter((one) => one.type !== type || one.listener !== listener);
    }
    dispatchEvent(event: Event) {
      event.target = this;
      for (const { type, listener, once } of [...this.#listeners]) {
        if (type !== event.type) continue;
        if (once) this.removeEventListener(type, listener);
        if (typeof listener === "function") listener.call(this, event);
        else listener.handleEvent(event);
      }
      return true;
    }
  }

  const errorOf = (name: string, message: string) => Object.assign(new Error(message), { name });
  class AbortSignal extends EventTarget {
    aborted = false;
    reason: unknown = undefined;
    onabort: ((event: Event) => void) | null = null;
    throwIfAborted() {
      if (this.aborted) throw this.reason;
    }
    static abort(reason?: unknown) {
      const controller = new AbortController();
      controller.abort(reason);
      return controller.signal;
    }
    static timeout(ms: number) {
      const controller = new AbortController();
      startTimer(() => controller.abort(errorOf("TimeoutError", "The operation was aborted due to timeout")), ms);
      return controller.signal;
    }
    static any(signals: Iterable<AbortSignal>) {
      const controller = new AbortController();
      for (const signal of signals) {
        if (signal.aborted) controller.abort(signal.reason);
        else signal.addEventListener("abort", () => controller.abort(signal.reason), { once: true });
      }
      return controller.signal;
    }
  }
  class AbortController {
    signal = new AbortSignal();
    abort(reason: unknown = errorOf("AbortError", "This operation was aborted")) {
      if (this.signal.aborted) return;
      this.signal.aborted = true;
      this.signal.reason = reason;
      const event = new Event("abort");
      this.signal.onabort?.(event);
      this.signal.dispatchEvent(event);
    }
  }
  return { AbortController, AbortSignal, Event, EventTarget };
}

/** Runs inside QuickJS, from its source text, beside `createPairList`: headers and forms, as `fetch` takes them. */
export function createFormModule() {
  const isIterable = (given: unknown): given is Iterable<[unknown, unknown]> =>
    typeof given === "object" && given !== null && Symbol.iterator in given;
  const toPairs = (given: unknown): Pair[] => {
    const pairs = isIterable(given) ? Array.from(given) : Object.entries(given ?? {});
    return pairs.map(([name, value]) => [String(name), String(value)]);
  };

  const PairList = createPairList();
  class Headers extends PairList {
    constructor(given?: unknown) {
      super();
      for (const [name, value] of toPairs(given)) this.append(name, value);
    }
    protected override nameOf(name: unknown) {
      return String(name).toLowerCase();
    }
    get(name: unknown) {
      const values = this.getAll(name);
      return values.length === 0 ? null : values.join(", ");
    }
    getSetCookie() {
      return this.getAll("set-cookie");
    }
    protected override list(): Pair[] {
      const names = [...new Set(this.pairs.map(([name]) => name))].sort();
      return names.map((name) => [name, this.get(name) ?? ""]);
    }
    get [Symbol.toStringTag]() {
      return "Headers";
    }
  }
  class FormData extends PairList {
    get(name: unknown) {
      return this.getAll(name)[0] ?? null;
    }
    get [Symbol.toStringTag]() {
      return "FormData";
    }
  }
  return { Headers, FormData };
}

/** Runs inside QuickJS, beside `createFormModule`: names with values, in the order in which they were added. */
export function createPairList() {
  return class PairList {
    protected pairs: Pair[] = [];
    protected nameOf(name: unknown) {
      return String(name);
    }
    getAll(name: unknown) {
      return this.pairs.filter(([own]) => own === this.nameOf(name)).map(([, value]) => value);
    }
    has(name: unknown) {
      return this.getAll(name).length > 0;
    }
    append(name: unknown, value: unknown) {
      this.pairs.push([this.nameOf(name), String(value)]);
    }
    delete(name: unknown) {
      this.pairs = this.pairs.filter(([own]) => own !== this.nameOf(name));
    }
    set(name: unknown, value: unknown) {
      const at = this.pairs.findIndex(([own]) => own === this.nameOf(name));
      this.delete(name);
      this.pairs.splice(at < 0 ? this.pairs.length : at, 0, [this.nameOf(name), String(value)]);
    }
    entries() {
      return this.list()[Symbol.iterator]();
    }
    keys() {
      return this.list()
        .map(([name]) => name)
        [Symbol.iterator]();
    }
    values() {
      return this.list()
        .map(([, value]) => value)
        [Symbol.iterator]();
    }
    forEach(visit: (value: string, name: string, owner: unknown) => void) {
      for (const [name, value] of this.list()) visit(value, name, this);
    }
    [Symbol.iterator]() {
      return this.entries();
    }
    protected list(): Pair[] {
      return [...this.pairs];
    }
  };
}

type Pair = [name: string, value: string];
