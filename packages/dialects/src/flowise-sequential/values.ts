import { parsePath } from "@weft/engine/template";
import type { JsonObject } from "@weft/schema";

/** Where values stand that texts and rules name. */
export type ValuePlaces = {
  /** The step's own output, as `$flow.output.<path>`. Absent: there is none. */
  own?: (path: readonly string[]) => string;
  /** The last message of the conversation; undefined where there may be none yet. */
  lastMessage: string | undefined;
  /** The last message of a step, or a part of its output. */
  step(id: string): ((path: readonly string[]) => string) | undefined;
};

const facts = new Set(["input", "sessionId", "chatId", "chatflowId", "chatflowid", "apiMessageId", "chatHistory"]);

/** The native template of `$flow.state.x`, `$vars.x`, `$<step>` and the like; undefined for anything else. */
export function toValueTemplate(text: string, places: ValuePlaces): string | undefined {
  const path = parsePath(text.trim());
  const [root = "", ...rest] = path ?? [];
  if (path === undefined || !root.startsWith("$")) return undefined;
  if (root === "$flow") return toFactTemplate(rest, places);
  if (root === "$vars") return rest.length === 0 ? undefined : toReference(path);
  return places.step(root.slice(1))?.(rest);
}

function toFactTemplate([fact = "", ...rest]: readonly string[], { own, lastMessage }: ValuePlaces) {
  if (fact === "output") return own?.(rest);
  const [name] = rest;
  if (fact === "state" && name === "messages")
    return rest.join(".") === "messages.-1.content" ? lastMessage : undefined;
  const isKnown = fact === "state" ? name !== undefined : facts.has(fact);
  return isKnown ? toReference(["$flow", fact, ...rest]) : undefined;
}

/** `{{ a.b[0] }}` */
export function toReference([root = "", ...rest]: readonly string[]): string {
  return `{{ ${root}${rest.map((name) => (/^-?\d+$/.test(name) ? `[${name}]` : `.${name}`)).join("")} }}`;
}

/** Code of the author for a native function: its body, and the values that it reads. */
export type AuthorCode = { variables: JsonObject[]; code: string };

/**
 * Code that reads `$flow` as sequential flows had it: with the step's `output`, where one is given, and with all messages
 * in its state.
 */
export function toAuthorCode(
  code: string,
  { output, hasHistory }: { output?: string | undefined; hasHistory: boolean },
): AuthorCode {
  const needsMessages = /\bmessages\b/.test(code);
  if (output === undefined && !needsMessages) return { variables: [], code };
  const variables = [
    ...(output === undefined ? [] : [{ name: "output", value: output }]),
    ...(needsMessages && hasHistory ? [{ name: "history", value: "{{ $flow.chatHistory }}" }] : []),
    ...(needsMessages ? [{ name: "said", value: "{{ $flow.runtimeChatHistory }}" }] : []),
  ];
  const messages = `messages: [${hasHistory ? "...$history, " : ""}{ role: "userMessage", content: $input }, ...$said]`;
  const fields = [
    "...$flow",
    ...(output === undefined ? [] : ["output: $output"]),
    ...(needsMessages ? [`state: { ...$flow.state, ${messages} }`] : []),
  ];
  return { variables, code: `return await (async ($flow) => {\n${code}\n})({ ${fields.join(", ")} });` };
}
