/** Takes thoughts out of a text that comes piece by piece. */
export type ThoughtFilter = {
  /** What of the text so far is known to belong to the answer. */
  add(text: string): string;
  /** What is left when the text has ended: what looked like the beginning of a tag and is none. */
  end(): string;
  /** Whether thoughts were found. */
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
 * Models whose server does not tell thoughts apart write them between tags at the beginning of their answer. Those are left
 * out, with the white space around them; a tag after the first word is part of the answer. Thoughts that are never ended
 * are thoughts to the end.
 */
export function createThoughtFilter(): ThoughtFilter {
  /** Held back: white space and the beginning of a tag, or, within thoughts, what may begin their end. */
  let held = "";
  let closing: string | undefined;
  let hasBegun = false;
  let hasThoughts = false;

  /** Drops thoughts; true when they have ended. */
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

  /** Enters thoughts that begin here; else whether a tag may still be coming. */
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
