export const storeTabs = ["documents", "query", "questions", "settings", "history"] as const;
export type StoreTab = (typeof storeTabs)[number];

/** The search parameters of a store's page: its tab, and the upsert being watched. */
export type StoreSearch = { tab?: Exclude<StoreTab, "documents">; upsert?: string };

/** Parses the search parameters and ignores unknown ones. */
export function readStoreSearch({ tab, upsert }: Record<string, unknown>): StoreSearch {
  const known = storeTabs.find((one) => one === tab);
  return {
    ...(known !== undefined && known !== "documents" && { tab: known }),
    ...(typeof upsert === "string" && upsert !== "" && { upsert }),
  };
}
