import { calcPrice, findProvider, type MatchLogic } from "@pydantic/genai-prices";
import { chatProviders } from "../../packages/providers/src/index.ts";

/** Servers behind these run any model, at prices of their own. */
const unpriced: readonly string[] = ["openai-compatible", "ollama", "embedded", "rehearsal"];

const million = 1_000_000;
/** Few enough tokens for the first step of prices that rise with the length of a prompt. */
const someTokens = 1_000;

type Release = { version: string; date: string };
type Price = { input: number; output: number; cachedInput?: number };

/** The text of `price-table.json`: what a release of the price list says of the providers that are registered here. */
export function toPriceTable({ version, date }: Release): string {
  const source = {
    name: `@pydantic/genai-prices ${version}`,
    url: "https://github.com/pydantic/genai-prices",
    licence: "MIT",
    date,
  };
  const at = new Date(`${date}T12:00:00Z`);
  const prices = new Map<string, Price>();
  for (const { name: provider } of chatProviders) {
    if (unpriced.includes(provider)) continue;
    for (const model of findProvider({ providerId: provider })?.models ?? []) {
      for (const name of [model.id, ...namesIn(model.match)]) {
        const price = priceOf(provider, name, at);
        if (price !== undefined) prices.set(`${provider}/${name}`.toLowerCase(), price);
      }
    }
  }
  const lines = [...prices].toSorted(([a], [b]) => (a < b ? -1 : 1)).map((entry) => toLine(entry));
  return `{\n  "source": ${JSON.stringify(source)},\n  "prices": {\n${lines.join(",\n")}\n  }\n}\n`;
}

function toLine([id, price]: [string, Price]): string {
  const members = Object.entries(price).map(([name, value]) => `${JSON.stringify(name)}: ${value}`);
  return `    ${JSON.stringify(id)}: { ${members.join(", ")} }`;
}

/** Names that a model is matched by as they are, or as the beginning of a longer one. */
function namesIn(match: MatchLogic): string[] {
  if ("equals" in match) return [match.equals];
  if ("starts_with" in match) return [match.starts_with.replace(/[-:]$/, "")];
  return "or" in match ? match.or.flatMap(namesIn) : [];
}

function priceOf(providerId: string, model: string, timestamp: Date): Price | undefined {
  const dollars = (usage: Record<string, number>) => {
    const total = calcPrice(usage, model, { providerId, timestamp })?.total_price;
    return total === undefined ? undefined : Number(((total / someTokens) * million).toPrecision(6));
  };
  const input = dollars({ input_tokens: someTokens });
  const output = dollars({ output_tokens: someTokens });
  const cachedInput = dollars({ input_tokens: someTokens, cache_read_tokens: someTokens });
  if (input === undefined || output === undefined) return undefined;
  // Models that are charged by something else than tokens count as unpriced, and so do those that are free for a while.
  if (input === 0 && output === 0) return undefined;
  return { input, output, ...(cachedInput !== undefined && cachedInput < input && { cachedInput }) };
}
