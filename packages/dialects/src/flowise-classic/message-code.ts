/** A message that code puts before the question. */
export type CodedMessage = { role: "user" | "assistant" | "system"; text: string };

// linear: an opening quote ends the text of one before it, so that three texts at most go on to the end
const message =
  /new\s+(Human|AI|System)Message\(\s*(?:\{\s*content\s*:\s*)?("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`$\\]*`)\s*(?:,\s*)?(?:\}\s*)?\)/g;

const roles: Readonly<Record<string, CodedMessage["role"]>> = { Human: "user", AI: "assistant", System: "system" };

/** The messages of code that is nothing but a list of them; undefined for any other code. */
export function readMessageCode(code: string): CodedMessage[] | undefined {
  const messages: CodedMessage[] = [];
  const rest = code
    .replaceAll(/^[ \t]*\/\/.*$/gm, "")
    .replaceAll(/^[ \t]*(?:const|let|var)\s+\{[^{}]*\}\s*=\s*require\([^()]*\)\s*;?/gm, "")
    .replaceAll(message, (_, speaker: string, text: string) => {
      messages.push({ role: roles[speaker] ?? "user", text: unquoted(text) });
      return "";
    });
  return /^\s*return\s*\[[\s,]*\]\s*(?:;\s*)?$/.test(rest) ? messages : undefined;
}

function unquoted(text: string): string {
  const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };
  return text.slice(1, -1).replaceAll(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter);
}
