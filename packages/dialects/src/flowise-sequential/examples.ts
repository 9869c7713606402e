import { type ClassicScope, readMessageCode, toLiteral } from "../flowise-classic/index.ts";

const speakers = { user: "User: ", assistant: "Assistant: ", system: "" };

/**
 * Messages that code puts before the conversation, as one instruction: they are examples. Code that is more than a list
 * of messages is refused.
 */
export function toExamples({ settings, report }: ClassicScope): string {
  const code = settings.text("messageHistory");
  if (code.replaceAll(/^[ \t]*\/\/.*$/gm, "").trim() === "") return "";
  const messages = readMessageCode(code);
  if (messages === undefined) {
    report.refuse(
      "prompt-code",
      "The messages before its conversation are written by code, which is not run here. Write them as messages of the step.",
    );
    return "";
  }
  const lines = messages.map(({ role, text }) => `${speakers[role]}${toLiteral(text)}`);
  return lines.length === 0 ? "" : `Messages that came before:\n\n${lines.join("\n\n")}`;
}
