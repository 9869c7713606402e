import { defineRoute, type Route } from "@weft/http";
import { priceChoiceSchema, pricesSchema } from "@weft/schema";
import { defineFeature } from "../feature.ts";
import { createPriceService, type PriceService } from "./price.service.ts";

declare module "../feature.ts" {
  interface Services {
    prices: PriceService;
  }
}

export const prices = defineFeature({
  name: "prices",
  service: createPriceService,
  routes: priceRoutes,
  start: ({ load }) => load(),
});

const shared = { path: "/api/v1/prices", tag: "Models", returns: { schema: pricesSchema } } as const;

function priceRoutes(prices: PriceService): Route[] {
  return [
    defineRoute({
      ...shared,
      method: "GET",
      operationId: "getPrices",
      summary: "Get what model calls cost",
      description:
        "US dollars for a million tokens. A model is looked for as it is named, then without its date or revision. A model without a price has no cost, which is not the same as 0.",
      permission: "agents:read",
      agent: "reach",
      errors: [],
      handle: () => prices.get(),
    }),
    defineRoute({
      ...shared,
      method: "PUT",
      operationId: "setPrices",
      summary: "Set prices of models",
      description: "Replaces all prices set here. Runs that end or pause from now on use them; earlier costs stay.",
      permission: "credentials:write",
      body: priceChoiceSchema,
      bodyErrorStatus: 422,
      errors: [400, 422],
      handle: ({ body }) => prices.set(body),
    }),
  ];
}
