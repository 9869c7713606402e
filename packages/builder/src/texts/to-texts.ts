import { IntlMessageFormat } from "intl-messageformat";
import type { MessageValues } from "./message-values.gen.ts";

/** Texts as their files hold them: ICU messages, in objects of any depth. */
export type Messages = { readonly [key: string]: string | Messages };

/** What becomes of messages whose keys follow `Before`: texts, and functions of the values that a message takes. */
export type Texts<T, Before extends string = ""> = {
  readonly [Key in keyof T & string]: T[Key] extends string
    ? `${Before}${Key}` extends infer Path extends keyof MessageValues
      ? (values: MessageValues[Path]) => string
      : string
    : Texts<T[Key], `${Before}${Key}.`>;
};

/** The English messages of an area, and what a translation has of them. `language`: its tag. */
type Translated = { english: Messages; translation: Messages | undefined; language: string };

/**
 * Texts of the messages, in English where the translation has none. A message that takes values is read when it is first
 * used.
 */
export function toTexts({ english, translation, language }: Translated): unknown {
  const texts = Object.entries(english).map(([key, message]) => {
    const translated = translation?.[key];
    if (typeof message !== "string") {
      const inner = typeof translated === "object" ? translated : undefined;
      return [key, toTexts({ english: message, translation: inner, language })];
    }
    return [key, typeof translated === "string" ? toText(translated, language) : toText(message, "en")];
  });
  return Object.fromEntries(texts);
}

function toText(message: string, language: string): unknown {
  if (!message.includes("{")) return message;
  let format: IntlMessageFormat | undefined;
  const read = () => (format ??= new IntlMessageFormat(message, language, undefined, { ignoreTag: true }));
  if (!takesValues(message)) return String(read().format());
  return (values: Readonly<Record<string, string | number | boolean>>) => String(read().format(values));
}

/** Whether a brace stands outside quotes: `'{{'` is two literal braces. */
function takesValues(message: string): boolean {
  return /\{/.test(message.replaceAll(/'[{}][^']*'/g, ""));
}
