import type { SystemCall } from "./requirer.ts";

/**
 * Runs inside QuickJS, from its source text: `Intl`, which the interpreter lacks, and the locale-dependent behaviour of
 * dates, numbers and texts. The host, whose language has all of it, answers each call.
 */
export function createIntlModule(call: SystemCall) {
  type Given = Record<string, unknown>;

  /** Values without a JSON form are sent as an object with one entry. */
  const toArgument = (value: unknown): unknown => {
    if (value instanceof Date) return { number: String(value.getTime()), isDate: true };
    if (typeof value === "bigint") return { big: String(value) };
    if (typeof value === "number") return { number: Object.is(value, -0) ? "-0" : String(value) };
    if (typeof value === "object" && value !== null) return toFields(value);
    return { text: value ?? undefined };
  };
  const isIterable = (value: object): value is Iterable<unknown> => Symbol.iterator in value;
  const toFields = (value: object) => (isIterable(value) ? { list: Array.from(value, String) } : { fields: value });
  const toLocales = (locales: unknown) =>
    locales === undefined ? undefined : Array.isArray(locales) ? locales.map(String) : String(locales);

  const ask = (request: Given) => {
    try {
      return call({ ...request, locales: toLocales(request.locales) });
    } catch (error) {
      throw new RangeError(error instanceof Error ? error.message : String(error));
    }
  };

  const define = (type: string, methods: readonly string[]) => {
    class Formatter {
      constructor(locales?: unknown, options?: unknown) {
        const invoke = (method: string, given: readonly unknown[]) =>
          ask({ do: "intl", type, locales, options, method, arguments: given.map(toArgument) });
        invoke("resolvedOptions", []);
        for (const method of [...methods, "resolvedOptions"]) {
          const value = (...given: unknown[]) => invoke(method, given);
          Object.defineProperty(this, method, { value, configurable: true, writable: true });
        }
        Object.defineProperty(this, Symbol.toStringTag, { value: `Intl.${type}` });
      }
      static supportedLocalesOf(locales: unknown) {
        return ask({ do: "intl-locales", type, locales });
      }
    }
    // The language lets these be called without `new`.
    return new Proxy(Formatter, { apply: (target, _self, [locales, options]) => new target(locales, options) });
  };

  const ranges = ["format", "formatToParts", "formatRange", "formatRangeToParts"];
  const all = {
    Collator: define("Collator", ["compare"]),
    DateTimeFormat: define("DateTimeFormat", ranges),
    DisplayNames: define("DisplayNames", ["of"]),
    DurationFormat: define("DurationFormat", ["format", "formatToParts"]),
    ListFormat: define("ListFormat", ["format", "formatToParts"]),
    NumberFormat: define("NumberFormat", ranges),
    PluralRules: define("PluralRules", ["select", "selectRange"]),
    RelativeTimeFormat: define("RelativeTimeFormat", ["format", "formatToParts"]),
    Segmenter: define("Segmenter", ["segment"]),
    Locale: class Locale {
      constructor(tag: unknown, options?: unknown) {
        Object.assign(this, ask({ do: "intl-locale", locales: String(tag), options }));
      }
      toString(this: { baseName?: unknown }) {
        return this.baseName;
      }
    },
    getCanonicalLocales: (locales: unknown) => ask({ do: "intl-canonical", locales }),
    supportedValuesOf: (key: unknown) => ask({ do: "intl-values", key: String(key) }),
  };

  return {
    Intl: all,
    date: (value: Date, part: string, locales: unknown, options: unknown) =>
      ask({ do: "date-text", ms: String(value.getTime()), part, locales, options }),
    number: (value: number | bigint, locales: unknown, options: unknown) =>
      ask({ do: "intl", type: "NumberFormat", locales, options, method: "format", arguments: [toArgument(value)] }),
    compare: (one: string, other: string, locales: unknown, options: unknown) => {
      const texts = [toArgument(one), toArgument(other)];
      return ask({ do: "intl", type: "Collator", locales, options, method: "compare", arguments: texts });
    },
    changeCase: (text: string, to: string, locales: unknown) => ask({ do: "text-case", text, to, locales }),
  };
}

type IntlModule = ReturnType<typeof createIntlModule>;

/**
 * Runs inside QuickJS, from its source text. The interpreter's own methods ignore locales and options, and would
 * silently return a wrong value. `load` provides the module once it is needed.
 */
export function installLocaleMethods(load: () => unknown): void {
  const intl = () => load() as IntlModule;
  const { defineProperty, getPrototypeOf } = Object;
  const set = (target: object, name: string, value: unknown) =>
    defineProperty(target, name, { value, configurable: true, writable: true });

  for (const part of ["String", "DateString", "TimeString"]) {
    set(Date.prototype, `toLocale${part}`, function (this: Date, locales?: unknown, options?: unknown) {
      return Number.isNaN(this.getTime()) ? "Invalid Date" : intl().date(this, part, locales, options);
    });
  }
  for (const owner of [Number, BigInt]) {
    set(owner.prototype, "toLocaleString", function (this: number | bigint, locales?: unknown, options?: unknown) {
      return intl().number(this.valueOf(), locales, options);
    });
  }
  const toText = function (this: ArrayLike<unknown>, locales?: unknown, options?: unknown) {
    const texts = Array.from(this, (item) =>
      item === null || item === undefined
        ? ""
        : String((item as { toLocaleString(...given: unknown[]): unknown }).toLocaleString(locales, options)),
    );
    return texts.join(",");
  };
  set(Array.prototype, "toLocaleString", toText);
  set(getPrototypeOf(Uint8Array.prototype), "toLocaleString", toText);
  set(String.prototype, "localeCompare", function (this: string, other: unknown, locales?: unknown, options?: unknown) {
    return intl().compare(String(this), String(other), locales, options);
  });
  for (const to of ["UpperCase", "LowerCase"]) {
    set(String.prototype, `toLocale${to}`, function (this: string, locales?: unknown) {
      return intl().changeCase(String(this), to, locales);
    });
  }
}
