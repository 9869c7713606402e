import { z } from "zod";
import { defineSplitter } from "../define-splitter.ts";
import { isOverlapSmaller, overlapTooLarge, sizeFields, toLimits } from "../splitting/size-fields.ts";
import { toChunks } from "../splitting/to-chunks.ts";
import { loadTokenCounter, tokenEncodings } from "../tokens/load-token-counter.ts";
import { splitByTokens } from "../tokens/split-by-tokens.ts";

export const token = defineSplitter({
  name: "token",
  title: "Tokens",
  summary: "Cuts at words, and measures chunks in the tokens of a model.",
  config: z
    .object({
      ...sizeFields("tokens"),
      encoding: z.enum(tokenEncodings).default("cl100k_base").meta({
        title: "Encoding",
        help: "cl100k_base is that of OpenAI's embedding models.",
      }),
    })
    .refine(isOverlapSmaller, overlapTooLarge),
  aliases: { names: ["tokenTextSplitter"], keys: { encodingName: "encoding" } },
  async prepare(config) {
    const countTokens = await loadTokenCounter(config.encoding);
    const limits = toLimits(config);
    return (text, metadata) => toChunks({ text, metadata }, splitByTokens(text, limits, countTokens));
  },
});
