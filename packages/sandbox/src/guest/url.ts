import type { Address, SystemCall } from "./requirer.ts";

type Pair = [name: string, value: string];

/** Runs inside QuickJS, from its source text. The host parses addresses, so that they mean the same as to `fetch`. */
export function createUrlModule(call: SystemCall) {
  const URLSearchParams = createSearchParams(call);
  const parts = ["href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"];

  const invalid = () => Object.assign(new TypeError("Invalid URL"), { code: "ERR_INVALID_URL" });
  const parse = (href: unknown, base?: unknown) =>
    call({ do: "parse-url", href: String(href), ...(base !== undefined && { base: String(base) }) });

  class URL {
    #address: Address;
    #params: InstanceType<typeof URLSearchParams> | undefined;

    constructor(href: unknown, base?: unknown) {
      const address = parse(href, base);
      if (address === null) throw invalid();
      this.#address = address;
    }

    static {
      const origin = { get: (self: URL) => self.#address.origin };
      for (const part of parts) {
        Object.defineProperty(URL.prototype, part, {
          get(this: URL) {
            return this.#address[part];
          },
          set(this: URL, value: unknown) {
            this.#change(part, value);
            this.#params = undefined;
          },
          enumerable: true,
          configurable: true,
        });
      }
      Object.defineProperty(URL.prototype, "origin", {
        get(this: URL) {
          return origin.get(this);
        },
        enumerable: true,
        configurable: true,
      });
    }

    static canParse(href: unknown, base?: unknown) {
      return parse(href, base) !== null;
    }
    static parse(href: unknown, base?: unknown) {
      return URL.canParse(href, base) ? new URL(href, base) : null;
    }

    #change(part: string, value: unknown) {
      const changed = call({ do: "change-url", href: this.#address.href, part, value: String(value) });
      if (changed === null) throw invalid();
      this.#address = changed;
    }

    get searchParams() {
      this.#params ??= new URLSearchParams(this.#address.search, (text) => this.#change("search", text));
      return this.#params;
    }
    toString() {
      return this.#address.href;
    }
    toJSON() {
      return this.#address.href;
    }
  }
  return { URL, URLSearchParams };
}

/** Runs inside QuickJS, beside `createUrlModule`. */
export function createSearchParams(call: SystemCall) {
  const isIterable = (given: object): given is Iterable<Iterable<unknown>> => Symbol.iterator in given;
  const pairsOf = (given: unknown): Pair[] => {
    if (typeof given !== "object" || given === null) {
      return call({ do: "parse-params", text: String(given ?? "") });
    }
    const entries: Iterable<unknown>[] = isIterable(given) ? [...given] : Object.entries(given);
    return entries.map((entry) => {
      const [name, value] = [...entry];
      return [String(name), String(value)];
    });
  };

  return class URLSearchParams {
    #pairs: Pair[];
    #onChange: ((text: string) => void) | undefined;

    constructor(given?: unknown, onChange?: (text: string) => void) {
      this.#pairs = pairsOf(given);
      this.#onChange = typeof onChange === "function" ? onChange : undefined;
    }

    get [Symbol.toStringTag]() {
      return "URLSearchParams";
    }
    get size() {
      return this.#pairs.length;
    }
    #replace(pairs: Pair[]) {
      this.#pairs = pairs;
      this.#onChange?.(this.toString());
    }
    append(name: unknown, value: unknown) {
      this.#replace([...this.#pairs, [String(name), String(value)]]);
    }
    delete(name: unknown, value?: unknown) {
      const isMeant = (pair: Pair) => pair[0] === String(name) && (value === undefined || pair[1] === String(value));
      this.#replace(this.#pairs.filter((pair) => !isMeant(pair)));
    }
    get(name: unknown) {
      return this.#pairs.find((pair) => pair[0] === String(name))?.[1] ?? null;
    }
    getAll(name: unknown) {
      return this.#pairs.filter((pair) => pair[0] === String(name)).map((pair) => pair[1]);
    }
    has(name: unknown, value?: unknown) {
      const values = this.getAll(name);
      return value === undefined ? values.length > 0 : values.includes(String(value));
    }
    set(name: unknown, value: unknown) {
      const at = this.#pairs.findIndex((pair) => pair[0] === String(name));
      const pair: Pair = [String(name), String(value)];
      if (at < 0) return this.append(name, value);
      const others = this.#pairs.filter((other, index) => index === at || other[0] !== pair[0]);
      this.#replace(others.map((other) => (other[0] === pair[0] ? pair : other)));
    }
    sort() {
      this.#replace([...this.#pairs].sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)));
    }
    forEach(callback: (value: string, name: string, params: unknown) => void, self?: unknown) {
      for (const [name, value] of this.#pairs) callback.call(self, value, name, this);
    }
    *entries() {
      for (const [name, value] of this.#pairs) yield [name, value];
    }
    *keys() {
      for (const [name] of this.#pairs) yield name;
    }
    *values() {
      for (const [, value] of this.#pairs) yield value;
    }
    [Symbol.iterator]() {
      return this.entries();
    }
    toString() {
      return call({ do: "write-params", pairs: this.#pairs });
    }
  };
}
