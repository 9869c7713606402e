import type { ComponentChoice } from "./resources/document-store.ts";

/** Where documents of an own store come from. `label`: as its flow calls it. */
export type OwnStoreLoader = { label: string; loader: ComponentChoice; splitter?: ComponentChoice | undefined };

/**
 * A document store that belongs to one agent, because the agent's flow describes it in place of naming one. Absent
 * components are the platform's own.
 */
export type OwnStore = {
  /** Tells the stores of one flow apart: the id of what describes it. */
  key: string;
  /** What the flow calls it. */
  label: string;
  embedding?: ComponentChoice | undefined;
  vectorStore?: ComponentChoice | undefined;
  recordManager?: ComponentChoice | undefined;
  /** How uploads are split. */
  splitter?: ComponentChoice | undefined;
  loaders: readonly OwnStoreLoader[];
};

const prefix = "own:";
/** Settings that hold ids of stores take 100 characters. */
const maxKeyLength = 90;

/** What stands in a flow for the id of an own store: whose it is, is known where an agent runs the flow. */
export function toOwnStoreReference({ key }: Pick<OwnStore, "key">): string {
  return `${prefix}${key.slice(0, maxKeyLength)}`;
}

/** The key in a reference to an own store; undefined for the id of any other store. */
export function keyOfOwnStore(storeId: string): string | undefined {
  return storeId.startsWith(prefix) ? storeId.slice(prefix.length) : undefined;
}
