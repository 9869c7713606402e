import type { FileLimit } from "@weft/chats";
import { z } from "zod";
import { parseBytes, parseFileLimit, parseFlag } from "./config-values.ts";

// How an environment variable is read. `.meta({ does, shown })` adds its text for the page of settings.

/** A setting's text in `docs/configuration.md`. */
export type SettingText = {
  does: string;
  /** The default as an operator writes it. Omitted if the value itself can be shown. */
  shown?: string;
};

/**
 * A variable: its default if unset or empty, else what `parse` reads (without outer spaces), undefined for a mistake.
 */
export function setting<T>(
  fallback: NoInfer<T>,
  expected: string,
  parse: (text: string, raw: string) => T | undefined,
) {
  return z
    .string()
    .default("")
    .transform((raw, context): T => {
      if (raw.trim() === "") return fallback;
      const value = parse(raw.trim(), raw);
      if (value !== undefined) return value;
      context.addIssue({ code: "custom", message: `must be ${expected}` });
      return z.NEVER;
    });
}

export const whole = <F extends number | undefined>(fallback: F, min: number, max: number) =>
  setting<number | F>(fallback, `a whole number from ${min} to ${max}`, (text) => {
    const value = Number(text);
    return /^\d+$/.test(text) && value >= min && value <= max ? value : undefined;
  });

export const flag = (fallback: boolean) => setting(fallback, "true or false", parseFlag);

/** Undefined where it is unset: someone else decides. */
export const optionalFlag = () => setting<boolean | undefined>(undefined, "true or false", parseFlag);

export const text = (fallback: string) => setting(fallback, "text", (value) => value);

export const bytes = <F extends number | undefined>(fallback: F) =>
  setting<number | F>(fallback, "a size such as 50mb or 1048576", parseBytes);

export const fileLimit = (fallback: FileLimit) =>
  setting(fallback, "a size and a number of files such as 100mb/50", parseFileLimit);
