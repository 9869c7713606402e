/** Removes thoughts from streamed text. */
export type ThoughtFilter = {
  /** The text so far that is certain to belong to the answer. */
  add(text: string): string;
  /** The rest once the text has ended: text that looked like the start of a tag but was not. */
  end(): string;
  /** Whether there were any thoughts. */
  found(): boolean;
};

/** As open models write them: DeepSeek, Qwen and others, Seed, Kimi. */
const tags: readonly (readonly [begin: string, end: string])[] = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<thought>", "</thought>"],
  ["<reasoning>", "</reasoning>"],
  ["<seed:think>", "</seed:think>"],
  ["[THINK]", "[/THINK]"],
  ["◁think▷", "◁/think▷"],
];

/**
 * Models whose server does not separate thoughts write them between tags at the start of their answer. Removes those
 * with the surrounding white space; a tag after the first word is part of the answer. An unclosed thought extends to
 * the end.
 */
export function createThoughtFilter(): ThoughtFilter {
  /** Held back: white space and the start of a tag, or, within thoughts, a possible start of the end tag. */
  let held = "";
  let closing: string | undefined;
  let hasBegun = false;
  let hasThoughts = false;

  /** Drops thoughts; true once they have ended. */
  function leaveThoughts(end: string): boolean {
    const at = held.indexOf(end);
    if (at < 0) {
      held = held.slice(-(end.length - 1));
      return false;
    }
    held = held.slice(at + end.length);
    closing = undefined;
    return true;
  }

  /** Enters thoughts that begin here; otherwise tells whether a tag may still follow. */
  function enterThoughts(start: string): "entered" | "maybe" | "none" {
    const tag = tags.find(([begin]) => start.startsWith(begin));
    if (tag === undefined) return tags.some(([begin]) => begin.startsWith(start)) ? "maybe" : "none";
    hasThoughts = true;
    closing = tag[1];
    held = start.slice(tag[0].length);
    return "entered";
  }

  function take(): string {
    while (closing === undefined || leaveThoughts(closing)) {
      const start = held.trimStart();
      const place = enterThoughts(start);
      if (place === "maybe") return "";
      if (place === "none") return release(hasThoughts ? start : held);
    }
    return "";
  }

  function release(text: string): string {
    hasBegun = true;
    held = "";
    return text;
  }

  return {
    add(text) {
      if (hasBegun || text === "") return text;
      held += text;
      return take();
    },
    end: () => (closing === undefined && !hasBegun ? release(hasThoughts ? held.trimStart() : held) : ""),
    found: () => hasThoughts,
  };
}
