import type { ClassicScope } from "../flowise-classic/index.ts";
import { toLiteral } from "../flowise-classic/index.ts";

const message =
  /new\s+(Human|AI|System)Message\(\s*(?:\{\s*content\s*:\s*)?("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`$\\]*`)\s*,?\s*(?:\}\s*)?\)/g;

const speakers: Readonly<Record<string, string>> = { Human: "User: ", AI: "Assistant: ", System: "" };

/**
 * Messages that code puts before the conversation, as one instruction: they are examples. Code that is more than a list
 * of messages is refused.
 */
export function toExamples({ settings, report }: ClassicScope): string {
  const code = settings.text("messageHistory").replaceAll(/^\s*\/\/.*$/gm, "");
  if (code.trim() === "") return "";
  const lines: string[] = [];
  const rest = code
    .replaceAll(/^\s*(?:const|let|var)\s+\{[^{}]*\}\s*=\s*require\([^()]*\)\s*;?/gm, "")
    .replaceAll(message, (_, speaker: string, text: string) => {
      lines.push(`${speakers[speaker]}${toLiteral(unquoted(text))}`);
      return "";
    });
  if (/^\s*return\s*\[[\s,]*\]\s*;?\s*$/.test(rest)) {
    return lines.length === 0 ? "" : `Messages that came before:\n\n${lines.join("\n\n")}`;
  }
  report.refuse(
    "prompt-code",
    "The messages before its conversation are written by code, which is not run here. Write them as messages of the step.",
  );
  return "";
}

function unquoted(text: string): string {
  const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };
  return text.slice(1, -1).replaceAll(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter);
}
