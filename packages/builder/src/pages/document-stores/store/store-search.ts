export const storeTabs = ["documents", "query", "settings", "history"] as const;
export type StoreTab = (typeof storeTabs)[number];

/** What the address of a store's page says: its tab, and the upsert that is watched. */
export type StoreSearch = { tab?: Exclude<StoreTab, "documents">; upsert?: string };

/** Reads the address; what it does not know is left out. */
export function readStoreSearch({ tab, upsert }: Record<string, unknown>): StoreSearch {
  const known = storeTabs.find((one) => one === tab);
  return {
    ...(known !== undefined && known !== "documents" && { tab: known }),
    ...(typeof upsert === "string" && upsert !== "" && { upsert }),
  };
}
