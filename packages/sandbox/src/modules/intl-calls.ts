type Request = Record<string, unknown>;

/** Operations of `Intl` for code of the sandbox, and other locale-dependent behaviour. */
export const intlOperations: Readonly<Record<string, (request: Request) => unknown>> = {
  intl: ({ type, locales, options, method, arguments: given }) => {
    const formatter = formatterOf(String(type), locales, options);
    const invoke = methodOf(formatter, String(method));
    const values = Array.isArray(given) ? given.map(toValue) : [];
    const result = invoke.apply(formatter, values);
    return String(type) === "Segmenter" && method === "segment" ? [...(result as Iterable<unknown>)] : result;
  },
  "intl-locales": ({ type, locales }) => typeOf(String(type)).supportedLocalesOf(toLocales(locales)),
  "intl-locale": ({ locales, options }) => {
    const locale = new Intl.Locale(String(locales), toOptions(options));
    const { baseName, language, script, region, calendar, collation, hourCycle, numberingSystem } = locale;
    return { baseName, language, script, region, calendar, collation, hourCycle, numberingSystem };
  },
  "intl-canonical": ({ locales }) => Intl.getCanonicalLocales(toLocales(locales)),
  "intl-values": ({ key }) => Reflect.apply(Intl.supportedValuesOf, Intl, [String(key)]),
  "date-text": ({ ms, part, locales, options }) => {
    const date = new Date(Number(ms));
    const given = [toLocales(locales), toOptions(options)] as const;
    if (part === "DateString") return date.toLocaleDateString(...given);
    return part === "TimeString" ? date.toLocaleTimeString(...given) : date.toLocaleString(...given);
  },
  "text-case": ({ text, to, locales }) => {
    assertShort(String(text));
    return to === "UpperCase"
      ? String(text).toLocaleUpperCase(toLocales(locales))
      : String(text).toLocaleLowerCase(toLocales(locales));
  },
};

const types = {
  Collator: Intl.Collator,
  DateTimeFormat: Intl.DateTimeFormat,
  DisplayNames: Intl.DisplayNames,
  DurationFormat: Reflect.get(Intl, "DurationFormat"),
  ListFormat: Intl.ListFormat,
  NumberFormat: Intl.NumberFormat,
  PluralRules: Intl.PluralRules,
  RelativeTimeFormat: Intl.RelativeTimeFormat,
  Segmenter: Intl.Segmenter,
};

type FormatterType = {
  new (locales?: string | string[], options?: object): object;
  supportedLocalesOf(locales?: string | string[]): string[];
};

function typeOf(name: string): FormatterType {
  const type: unknown = Object.hasOwn(types, name) ? Reflect.get(types, name) : undefined;
  if (!isFormatterType(type)) throw new TypeError(`The sandbox has no Intl.${name}.`);
  return type;
}

function isFormatterType(type: unknown): type is FormatterType {
  return typeof type === "function" && "supportedLocalesOf" in type;
}

/** Creating one takes a hundred times as long as using it. */
const formatters = new Map<string, object>();
const maxFormatters = 100;

function formatterOf(type: string, locales: unknown, options: unknown): object {
  const key = JSON.stringify([type, locales, options]);
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const made = new (typeOf(type))(toLocales(locales), toOptions(options));
  if (formatters.size >= maxFormatters) formatters.clear();
  if (key.length <= 1_000) formatters.set(key, made);
  return made;
}

const methods: ReadonlySet<string> = new Set([
  ...["compare", "format", "formatToParts", "formatRange", "formatRangeToParts"],
  ...["of", "resolvedOptions", "segment", "select", "selectRange"],
]);

function methodOf(formatter: object, name: string): (...values: unknown[]) => unknown {
  const method: unknown = methods.has(name) ? Reflect.get(formatter, name) : undefined;
  if (typeof method !== "function") throw new TypeError(`The sandbox has no method ${name} there.`);
  return (...values) => Reflect.apply(method, formatter, values);
}

function toValue(given: unknown): unknown {
  const { text, number, big, list, fields, isDate }: Request = { ...(given ?? {}) };
  if (number !== undefined) return isDate ? new Date(Number(number)) : Number(number);
  if (big !== undefined) return toBigInt(String(big));
  if (list !== undefined) return list;
  if (fields !== undefined) return fields;
  if (typeof text === "string") assertShort(text);
  return text ?? undefined;
}

function toBigInt(digits: string): bigint {
  if (digits.length > 1_000) throw new RangeError("Numbers of more than 1,000 digits have no locale's form here.");
  return BigInt(digits);
}

/** Longer texts would block the thread for long. */
const maxTextLength = 100_000;

function assertShort(text: string): void {
  if (text.length <= maxTextLength) return;
  throw new RangeError(
    `The sandbox compares, divides and changes texts of up to ${maxTextLength} characters by locale.`,
  );
}

function toLocales(locales: unknown): string | string[] | undefined {
  if (Array.isArray(locales)) return locales.map(String);
  return locales === undefined || locales === null ? undefined : String(locales);
}

function toOptions(options: unknown): object | undefined {
  return typeof options === "object" && options !== null ? options : undefined;
}
