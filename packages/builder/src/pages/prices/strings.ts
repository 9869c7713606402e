import { formatNumber, languageTag, localized } from "../../languages/index.ts";

/** Texts of the page Prices. */
export const pricesStrings = localized("prices", {
  title: "Prices",
  summary:
    "What model calls cost, in US dollars for a million tokens. Runs use these prices from the moment they are set.",
  sourceTitle: "Price list",
  sourceText: (count: number, date: string) =>
    `${formatNumber(count)} models, as of ${date}. The list ships with this release and is never fetched.`,
  source: "Source",
  licence: "Licence",
  date: "Date",
  table: "Models",
  search: "Search models",
  emptyTitle: "No model has been called yet",
  emptyText: "Models appear here once a run has called them. You can set prices of models beforehand.",
  model: "Model",
  input: "Input",
  output: "Output",
  origin: "From",
  none: "–",
  dollars: (amount: number) =>
    `$${amount.toLocaleString(languageTag(), { minimumFractionDigits: 2, maximumFractionDigits: 6 })}`,
  origins: {
    set: "Set here",
    environment: "Server configuration",
    list: "Price list",
    none: "No price",
  },
  noPriceHint: "Its runs have no cost until you set a price.",
  add: "Set a price",
  edit: "Change price",
  reset: "Remove own price",
  addTitle: "Set the price of a model",
  editTitle: (model: string) => `Price of ${model}`,
  modelHint: "Provider and name, as runs show them: openai/gpt-4o-mini",
  inputLabel: "Input, dollars for a million tokens",
  outputLabel: "Output, dollars for a million tokens",
  badModel: "Enter provider and name with a slash between them, such as openai/gpt-4o-mini.",
  badPrice: "Enter a number of dollars: 0 or more, at most 1,000,000.",
  unknownModel: "Neither the price list nor a run knows this model. The price holds once a run calls it.",
  listed: (input: string, output: string) => `The price list says ${input} for input and ${output} for output.`,
  saved: (model: string) => `Runs of ${model} cost this from now on. Earlier costs stay.`,
  removed: (model: string) => `The own price of ${model} was removed.`,
});
