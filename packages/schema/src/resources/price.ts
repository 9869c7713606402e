import { z } from "zod";

const dollars = z.number().min(0).max(1_000_000);

/** US dollars per million tokens. */
export const modelPriceSchema = z
  .strictObject({
    input: dollars,
    output: dollars,
    cachedInput: dollars.optional().meta({ description: "Of input that the vendor has cached; not used in sums." }),
  })
  .meta({
    id: "ModelPrice",
    description: "US dollars for a million tokens.",
    examples: [{ input: 0.15, output: 0.6 }],
  });
export type ModelPrice = z.infer<typeof modelPriceSchema>;

const modelIdSchema = z
  .string()
  .min(3)
  .max(300)
  .regex(/^[^/\s]+\/\S+$/, "A model is named by its provider and its name, such as openai/gpt-4o-mini.");

const chosenSchema = z
  .record(modelIdSchema, modelPriceSchema)
  .refine((prices) => Object.keys(prices).length <= 1_000, "At most 1,000 models can have a price of their own.");

const examples = [{ prices: { "openai-compatible/my-model": { input: 0.2, output: 0.8 } } }];

/** Prices set by an operator. */
export const priceChoiceSchema = z
  .object({
    prices: chosenSchema.meta({ description: "By a model's id, such as `openai/gpt-4o-mini`. Replaces all of them." }),
  })
  .meta({ id: "PriceChoice", examples });
export type PriceChoice = z.infer<typeof priceChoiceSchema>;

/** Prices of model calls here, and the source of the list. */
export const pricesSchema = z
  .object({
    source: z
      .object({ name: z.string(), url: z.string(), licence: z.string(), date: z.string() })
      .meta({ description: "Where the list comes from, and of which day it is." }),
    prices: z.record(z.string(), modelPriceSchema).meta({ description: "Set here. They win over all others." }),
    environment: z
      .record(z.string(), modelPriceSchema)
      .meta({ description: "From `MODEL_PRICES`. They win over the list." }),
    list: z.record(z.string(), modelPriceSchema).meta({ description: "Shipped with this release." }),
    models: z
      .array(
        z.object({
          id: z.string(),
          price: modelPriceSchema.nullable().meta({ description: "Null: it has no price, so its runs have no cost." }),
          origin: z
            .enum(["set", "environment", "list"])
            .nullable()
            .meta({ description: "Where the price comes from. `set`: from `PUT /prices`." }),
        }),
      )
      .meta({ description: "Models that runs have called, with the price that holds for each." }),
  })
  .meta({ id: "Prices" });
export type Prices = z.infer<typeof pricesSchema>;
