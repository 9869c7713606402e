import type { ComponentChoice } from "./resources/document-store.ts";

/** Source of an own store's documents. `label`: its name in the flow. */
export type OwnStoreLoader = { label: string; loader: ComponentChoice; splitter?: ComponentChoice | undefined };

/**
 * A document store that belongs to one agent, because the agent's flow describes it instead of naming one. Absent
 * components are the platform's own.
 */
export type OwnStore = {
  /** Distinguishes the stores of one flow: the id of the element that describes it. */
  key: string;
  /** Its name in the flow. */
  label: string;
  embedding?: ComponentChoice | undefined;
  vectorStore?: ComponentChoice | undefined;
  recordManager?: ComponentChoice | undefined;
  /** Splitter for uploads. */
  splitter?: ComponentChoice | undefined;
  loaders: readonly OwnStoreLoader[];
};

const prefix = "own:";
/** Settings with store ids allow 100 characters. */
const maxKeyLength = 90;

/** Stands in a flow for the id of an own store; its owner is known when an agent runs the flow. */
export function toOwnStoreReference({ key }: OwnStore): string {
  return `${prefix}${key.slice(0, maxKeyLength)}`;
}

/** The key in a reference to an own store; undefined for any other store's id. */
export function keyOfOwnStore(storeId: string): string | undefined {
  return storeId.startsWith(prefix) ? storeId.slice(prefix.length) : undefined;
}
