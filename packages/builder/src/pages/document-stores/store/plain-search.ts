import type { JsonObject } from "@weft/schema";

/** Settings that leave out every step of a store's own: what its vectors and words alone find. */
export const plainSearch = {
  rerank: { provider: "none" },
  scoreThreshold: 0,
  rewrite: false,
  variants: 0,
  hypothetical: false,
  mmrLambda: 1,
  neighbours: 0,
  parent: "none",
} as const;

/** Whether the settings of a store do anything but choose a mode. */
export function hasSteps(settings: JsonObject): boolean {
  const { rerank, ...steps } = plainSearch;
  const { provider = rerank.provider } = (settings.rerank ?? rerank) as JsonObject;
  const isJudged = provider !== rerank.provider;
  return isJudged || Object.entries(steps).some(([name, off]) => (settings[name] ?? off) !== off);
}
