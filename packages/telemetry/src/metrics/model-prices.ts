import { z } from "zod";

/** US dollars for a million tokens. */
const priceSchema = z.strictObject({ input: z.number().min(0), output: z.number().min(0) });

/** By a model's id, such as `openai/gpt-4o-mini`. */
export type OwnPrices = z.infer<typeof ownPricesSchema>;

const ownPricesSchema = z.record(z.string().min(1), priceSchema);

const expected =
  'MODEL_PRICES must be JSON with US dollars for a million tokens, such as {"openai/gpt-4o":{"input":2.5,"output":10}}.';

/** What the environment says of prices, or the sentence about what is wrong with it. */
export function readOwnPrices(text: string | undefined): { prices: OwnPrices; mistakes: string[] } {
  if (text === undefined || text.trim() === "") return { prices: {}, mistakes: [] };
  try {
    return { prices: ownPricesSchema.parse(JSON.parse(text)), mistakes: [] };
  } catch {
    return { prices: {}, mistakes: [expected] };
  }
}

export type TokenCounts = { input: number; output: number };

/** What model calls cost, as far as it is known. */
export type ModelPrices = {
  /** Calls `charge` with US dollars, later for the first call; not at all for a model without a known price. */
  charge(modelId: string, tokens: TokenCounts, charge: (dollars: number) => void): void;
};

/** Servers behind these run any model at prices of their own. */
const unpriced: readonly string[] = ["openai-compatible", "ollama", "embedded", "rehearsal"];
const million = 1_000_000;

/**
 * The operator's own prices, then the list that `@pydantic/genai-prices` ships with its release; it is loaded with the
 * first call and never fetched. Discounts for cached input, batches and contracts are unknown to it.
 */
export function createModelPrices(own: OwnPrices): ModelPrices {
  let list: Promise<typeof import("@pydantic/genai-prices")> | undefined;

  async function priceOf(modelId: string, { input, output }: TokenCounts): Promise<number | undefined> {
    const slash = modelId.indexOf("/");
    const [providerId, model] = [modelId.slice(0, slash), modelId.slice(slash + 1)];
    if (slash < 0 || unpriced.includes(providerId)) return undefined;
    list ??= import("@pydantic/genai-prices");
    const { calcPrice } = await list;
    return calcPrice({ input_tokens: input, output_tokens: output }, model, { providerId })?.total_price;
  }

  return {
    charge(modelId, tokens, charge) {
      const price = own[modelId];
      if (price !== undefined) return charge((tokens.input * price.input + tokens.output * price.output) / million);
      // A model that the list does not know how to price has no price.
      const priced = priceOf(modelId, tokens).catch(() => undefined);
      void priced.then((dollars) => dollars !== undefined && dollars > 0 && charge(dollars));
    },
  };
}
