import { defineFeature } from "../feature.ts";
import { priceRoutes } from "./price.routes.ts";
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
