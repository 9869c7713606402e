import type { ModelPrice, Prices } from "@weft/client";

/** What is typed for a price. */
export type PriceDraft = { model: string; input: string; output: string };

export type PriceErrors = { model: boolean; input: boolean; output: boolean };

const mostDollars = 1_000_000;

/** A number of dollars; undefined for a text, what is below 0, and what is too much. Commas may stand for points. */
export function parseDollars(text: string): number | undefined {
  const typed = text.trim().replace(",", ".");
  if (!/^\d+(\.\d*)?$|^\.\d+$/.test(typed)) return undefined;
  const dollars = Number(typed);
  return dollars <= mostDollars ? dollars : undefined;
}

/** What cannot be saved as it is. */
export function errorsOf({ model, input, output }: PriceDraft): PriceErrors {
  return {
    model: !/^[^/\s]+\/\S+$/.test(model.trim()),
    input: parseDollars(input) === undefined,
    output: parseDollars(output) === undefined,
  };
}

export type PriceRow = {
  model: string;
  price: ModelPrice | null;
  origin: "set" | "environment" | "list" | "none";
};

/** The models that runs have called and those with a price of their own, by name. */
export function toRows({ models, prices, environment }: Prices): PriceRow[] {
  const rows = new Map<string, PriceRow>();
  for (const [model, price] of Object.entries(environment)) rows.set(model, { model, price, origin: "environment" });
  for (const [model, price] of Object.entries(prices)) rows.set(model, { model, price, origin: "set" });
  for (const { id, price, origin } of models) rows.set(id, { model: id, price, origin: origin ?? "none" });
  return [...rows.values()].toSorted((a, b) => a.model.localeCompare(b.model));
}

/** Prices with this one among them, in place of another spelling of it. */
export function withPrice(prices: Prices["prices"], model: string, price: ModelPrice): Prices["prices"] {
  return { ...withoutPrice(prices, model), [model]: price };
}

export function withoutPrice(prices: Prices["prices"], model: string): Prices["prices"] {
  const others = Object.entries(prices).filter(([name]) => name.toLowerCase() !== model.toLowerCase());
  return Object.fromEntries(others);
}
