export type Printer = {
  /** Formats any value for a log. */
  show(value: unknown): string;
  /** Formats any thrown value as JSON of `{ name, message }`, including throwing getters and proxies. */
  describeError(error: unknown): string;
};

/** Runs inside QuickJS, from its source text: it may refer to nothing outside itself. */
export function createPrinter(): Printer {
  const { stringify } = JSON;
  const { get } = Reflect;

  const read = (target: object, key: string, fallback: string) => {
    try {
      const value: unknown = get(target, key);
      return typeof value === "string" ? value : fallback;
    } catch {
      return fallback;
    }
  };

  const show = (value: unknown) => {
    if (typeof value === "string") return value;
    try {
      if (value instanceof Error) return `${read(value, "name", "Error")}: ${read(value, "message", "")}`;
      return stringify(value) ?? String(value);
    } catch {
      return "[unprintable]";
    }
  };

  const describeError = (error: unknown) => {
    const isObject = typeof error === "object" && error !== null;
    const name = isObject ? read(error, "name", "Error") : "Error";
    const message = isObject ? read(error, "message", "") : show(error);
    return stringify({ name: name.slice(0, 100), message: message.slice(0, 2000) });
  };

  return { show, describeError };
}
