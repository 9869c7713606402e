import type { TiktokenBPE } from "js-tiktoken/lite";

/** The encodings that existing clients name, and that of newer models. */
export const tokenEncodings = ["cl100k_base", "o200k_base", "p50k_base", "p50k_edit", "r50k_base", "gpt2"] as const;
export type TokenEncoding = (typeof tokenEncodings)[number];

/** How many tokens a text is. Text that looks like a special token is text. */
export type CountTokens = (text: string) => number;

/** A counter that remembers words. The ranks of an encoding, up to 2 MB, are loaded when they are first used. */
export async function loadTokenCounter(encoding: TokenEncoding): Promise<CountTokens> {
  const { Tiktoken } = await import("js-tiktoken/lite");
  const tokenizer = new Tiktoken(await loadRanks(encoding));
  const counts = new Map<string, number>();
  return (text) => {
    const known = counts.get(text);
    if (known !== undefined) return known;
    const count = tokenizer.encode(text, [], []).length;
    if (text.length > maxRememberedCharacters) return count;
    if (counts.size >= maxRemembered) counts.clear();
    counts.set(text, count);
    return count;
  };
}

const maxRemembered = 50_000;
const maxRememberedCharacters = 100;

async function loadRanks(encoding: TokenEncoding): Promise<TiktokenBPE> {
  switch (encoding) {
    case "cl100k_base":
      return (await import("js-tiktoken/ranks/cl100k_base")).default;
    case "o200k_base":
      return (await import("js-tiktoken/ranks/o200k_base")).default;
    case "p50k_base":
      return (await import("js-tiktoken/ranks/p50k_base")).default;
    case "p50k_edit":
      return (await import("js-tiktoken/ranks/p50k_edit")).default;
    case "r50k_base":
      return (await import("js-tiktoken/ranks/r50k_base")).default;
    case "gpt2":
      return (await import("js-tiktoken/ranks/gpt2")).default;
  }
}
