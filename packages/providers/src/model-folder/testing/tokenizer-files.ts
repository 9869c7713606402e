/** Pieces of tokenizers as `tokenizer.json` describes them, for vocabularies of a few words. */
const added = (tokens: readonly string[]) =>
  tokens.map((content, id) => ({
    id,
    content,
    special: true,
    normalized: false,
    single_word: false,
    lstrip: false,
    rstrip: false,
  }));
const special = (id: string, type: number) => ({ SpecialToken: { id, type_id: type } });
const text = (id: "A" | "B", type: number) => ({ Sequence: { id, type_id: type } });

/** BERT's: lower case, words in pieces, `[CLS] text [SEP] text [SEP]`. A word that no piece begins is `[UNK]`. */
export function wordPiece(words: readonly string[]) {
  const specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"];
  const vocab = Object.fromEntries([...specials, ...words].map((token, id) => [token, id]));
  return {
    added_tokens: added(specials),
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: {
      type: "TemplateProcessing",
      single: [special("[CLS]", 0), text("A", 0), special("[SEP]", 0)],
      pair: [special("[CLS]", 0), text("A", 0), special("[SEP]", 0), text("B", 1), special("[SEP]", 1)],
      special_tokens: {},
    },
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab,
    },
  };
}

/** SentencePiece's unigrams, as XLM-RoBERTa has them: the likeliest pieces of NFKC text, `<s> text </s></s> text </s>`. */
export function unigram(pieces: readonly (readonly [piece: string, score: number])[]) {
  const specials = ["<s>", "<pad>", "</s>", "<unk>"];
  return {
    added_tokens: added(specials),
    normalizer: { type: "Sequence", normalizers: [{ type: "NFKC" }, { type: "Lowercase" }] },
    pre_tokenizer: { type: "Metaspace", replacement: "▁", prepend_scheme: "always", split: true },
    post_processor: {
      type: "TemplateProcessing",
      single: [special("<s>", 0), text("A", 0), special("</s>", 0)],
      pair: [special("<s>", 0), text("A", 0), special("</s>", 0), special("</s>", 0), text("B", 0), special("</s>", 0)],
      special_tokens: {},
    },
    decoder: { type: "Metaspace", replacement: "▁", prepend_scheme: "always", split: true },
    model: { type: "Unigram", unk_id: 3, vocab: [...specials.map((token) => [token, 0]), ...pieces] },
  };
}

/** RoBERTa's: pairs of bytes, merged in order. Every text has tokens. */
export function byteLevel(merges: readonly (readonly [left: string, right: string])[]) {
  const specials = ["<s>", "<pad>", "</s>", "<unk>"];
  const letters = Array.from({ length: 256 }, (_, byte) => toLetter(byte));
  const tokens = [...specials, ...letters, ...merges.map(([left, right]) => left + right)];
  return {
    added_tokens: added(specials),
    normalizer: null,
    pre_tokenizer: { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true },
    post_processor: {
      type: "RobertaProcessing",
      sep: ["</s>", 2],
      cls: ["<s>", 0],
      trim_offsets: true,
      add_prefix_space: false,
    },
    decoder: { type: "ByteLevel" },
    model: { type: "BPE", vocab: Object.fromEntries(tokens.map((token, id) => [token, id])), merges },
  };
}

/** GPT-2's alphabet of bytes: visible ones stand for themselves, the others for letters from U+0100 on. */
function toLetter(byte: number): string {
  const isVisible = (one: number) => (one > 32 && one < 127) || (one > 160 && one !== 173);
  if (isVisible(byte)) return String.fromCodePoint(byte);
  return String.fromCodePoint(
    256 + Array.from({ length: byte }, (_, one) => one).filter((one) => !isVisible(one)).length,
  );
}
