import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import { toJsonObject } from "@weft/schema";
import { z } from "zod";

/** A graph's input for one text or pair: tokens, and the text that each belongs to. */
export type Sequence = { ids: readonly number[]; types: readonly number[] };

export type FolderTokenizer = {
  padId: number;
  toSequence(text: string): Sequence;
  /** Truncates the passage first; the query keeps up to half of the tokens. */
  toPair(query: string, passage: string): Sequence;
};

type Frame = { ids: number[]; types: number[] };

/** Rejects settings that the library would silently misread. */
const splitSchema = z.object({
  behavior: z.enum(["Isolated", "Removed"]),
  pattern: z.union([z.object({ Regex: z.string() }), z.object({ String: z.string() })]),
});
const tokenizerSchema = z.looseObject({
  model: z.looseObject({ type: z.enum(["WordPiece", "Unigram", "BPE"]) }),
  pre_tokenizer: z.unknown().superRefine(assertSplits),
  padding: z.looseObject({ pad_id: z.int().nonnegative() }).nullish(),
});

/** A longer run of letters is not a word, and a text with more characters per token is truncated anyway. */
const charactersPerToken = 24;

/**
 * The tokenizer of a folder: `tokenizer.json`, and `tokenizer_config.json` if present. A text becomes at most
 * `maxTokens` tokens, including special ones, which survive truncation. Rejects if the file requires an unsupported
 * feature.
 */
export async function openTokenizer(path: string, maxTokens: number): Promise<FolderTokenizer> {
  const described = tokenizerSchema.safeParse(await readJson(join(path, "tokenizer.json")));
  if (!described.success) {
    const [issue] = described.error.issues;
    throw new Error(`its tokenizer.json is not supported at "${issue?.path.join(".")}": ${issue?.message}`);
  }
  const config = await readJson(join(path, "tokenizer_config.json")).catch(() => ({}));
  const tokenizer = new Tokenizer(described.data, config);
  const encode = (text: string, pair?: string) =>
    tokenizer.encode(text, { text_pair: pair ?? null, return_token_type_ids: true });
  const toTokens = (text: string) => {
    const seen = text.slice(0, maxTokens * charactersPerToken);
    return tokenizer.encode(seen, { add_special_tokens: false }).ids.filter(Number.isInteger);
  };
  const [one, other] = [toTokens("a"), toTokens("b")];
  const single = toFrames(encode("a"), [one]);
  const pair = toFrames(encode("a", "b"), [one, other]);
  return {
    padId: described.data.padding?.pad_id ?? findPadId(tokenizer),
    toSequence: (text) => fill(single, [toTokens(text)], maxTokens),
    toPair: (query, passage) => fill(pair, [toTokens(query), toTokens(passage)], maxTokens),
  };
}

function findPadId(tokenizer: Tokenizer): number {
  return ["[PAD]", "<pad>"].map((token) => tokenizer.token_to_id(token)).find((id) => id !== undefined) ?? 0;
}

async function readJson(file: string): Promise<object> {
  return JSON.parse(await readFile(file, "utf8"));
}

function assertSplits(part: unknown, context: z.RefinementCtx): void {
  const { type, pretokenizers } = toJsonObject(part);
  if (Array.isArray(pretokenizers)) for (const one of pretokenizers) assertSplits(one, context);
  if (type === "Split" && !splitSchema.safeParse(part).success) {
    context.addIssue({ code: "custom", message: "a Split must be Isolated or Removed, by a Regex or a String" });
  }
}

type Encoded = { ids: number[]; token_type_ids?: number[] };
/** The special tokens before, between and after texts, and the types of the texts. */
type Frames = { special: Frame[]; types: number[] };

/** Finds the special tokens around texts with known tokens. */
function toFrames({ ids, token_type_ids: types = ids.map(() => 0) }: Encoded, texts: readonly number[][]): Frames {
  const frames: Frames = { special: [], types: [] };
  let start = 0;
  for (const own of texts) {
    let at = start;
    while (at < ids.length && !own.every((id, index) => ids[at + index] === id)) at += 1;
    if (own.length === 0 || at >= ids.length) throw new Error("its tokenizer.json makes no token of a letter");
    frames.special.push({ ids: ids.slice(start, at), types: types.slice(start, at) });
    frames.types.push(types[at] ?? 0);
    start = at + own.length;
  }
  frames.special.push({ ids: ids.slice(start), types: types.slice(start) });
  return frames;
}

function fill({ special, types }: Frames, texts: readonly number[][], maxTokens: number): Sequence {
  const room = maxTokens - special.reduce((sum, { ids }) => sum + ids.length, 0);
  const [first = []] = texts;
  const [, second = []] = texts;
  const kept = texts.length === 1 ? room : Math.max(Math.floor(room / 2), room - second.length);
  const cut = [first.slice(0, kept), second.slice(0, room - Math.min(first.length, kept))];
  const sequence: Frame = { ids: [], types: [] };
  for (const [index, frame] of special.entries()) {
    sequence.ids.push(...frame.ids);
    sequence.types.push(...frame.types);
    if (index === texts.length) break;
    const own = cut[index] ?? [];
    sequence.ids.push(...own);
    sequence.types.push(...own.map(() => types[index] ?? 0));
  }
  return sequence;
}
