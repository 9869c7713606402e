import { lazyRouteComponent } from "@tanstack/react-router";

export const DocumentStorePage = lazyRouteComponent(() => import("./document-store-page.tsx"), "DocumentStorePage");

export { readStoreSearch } from "./store-search.ts";
