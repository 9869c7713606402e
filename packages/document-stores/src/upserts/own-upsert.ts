import { isDeepStrictEqual } from "node:util";
import {
  type DocumentUpsert,
  type JsonObject,
  type OwnStore,
  toOwnStoreReference,
  type UpsertItem,
  WeftError,
} from "@weft/schema";
import type { NewFile } from "../files/document-files.ts";
import type { LoaderChat } from "../loaders/prepare-loader.ts";
import type { UpsertService } from "./upsert.service.ts";

/** Own stores of a flow after a caller replaced inputs of the flow's components. */
export type OverriddenStores = { stores: readonly OwnStore[]; unknown: string[]; idle: string[] };

/** Reads the stores that a flow describes. */
export type OwnStoreReader = {
  storesOf(flowData: string): readonly OwnStore[];
  /** Undefined: the flow describes none, so that nothing can be replaced. */
  override(flowData: string, inputs: JsonObject): OverriddenStores | undefined;
};

/** An upsert of a store that the agent's flow describes. */
export type OwnUpsert = {
  agentId: string;
  storeId: string;
  /** The flow's name for the store. */
  reference: string;
  flowData: string;
  overrideConfig: JsonObject;
  files: readonly NewFile[];
  chat?: LoaderChat | undefined;
};

/** The request in terms of the upsert service. */
export type OwnRequest = {
  /** Inputs that belong to no component of the flow. */
  rest: JsonObject;
  /** Replacement for the store's loaders; undefined if inputs do not change them. */
  loaders: OwnStore["loaders"] | undefined;
  /** Replacement for the loaders' own splitter; undefined if inputs do not change it. */
  splitter: OwnStore["splitter"];
};

/** Reads overrides by the names of the flow's own components. Throws `validation-failed` for those without effect. */
export function readOwnOverrides(
  { storesOf, override }: OwnStoreReader,
  { flowData, reference, overrideConfig }: Pick<OwnUpsert, "flowData" | "reference" | "overrideConfig">,
): OwnRequest {
  const find = (stores: readonly OwnStore[]) => stores.find((store) => toOwnStoreReference(store) === reference);
  const overridden = override(flowData, overrideConfig);
  const before = find(storesOf(flowData));
  const after = overridden && find(overridden.stores);
  if (overridden === undefined || before === undefined || after === undefined) {
    return { rest: overrideConfig, loaders: undefined, splitter: undefined };
  }
  const unknown = new Set(overridden.unknown);
  if (overridden.idle.length > 0) {
    throw invalidOverrides(overridden.idle, () => "has no effect on the agent's document store. Leave it out");
  }
  if (places.some((place) => !isDeepStrictEqual(before[place], after[place]))) {
    const changed = Object.keys(overrideConfig).filter((name) => !unknown.has(name));
    throw invalidOverrides(changed, () => "belongs to the document store: change it there");
  }
  return {
    rest: Object.fromEntries(Object.entries(overrideConfig).filter(([name]) => unknown.has(name))),
    loaders: isDeepStrictEqual(before.loaders, after.loaders) ? undefined : after.loaders,
    splitter: isDeepStrictEqual(before.splitter, after.splitter) ? undefined : after.splitter,
  };
}

/** Settings shared by all loaders of the store. */
const places = ["embedding", "vectorStore", "recordManager"] as const;

/** Begins the upsert: of the caller's documents, of loaders that the caller changed, or of all of the store's. */
export function beginOwnUpsert(
  upserts: UpsertService,
  { agentId, storeId, files, chat }: Pick<OwnUpsert, "agentId" | "storeId" | "files" | "chat">,
  { body, loaders, splitter }: { body: DocumentUpsert } & Pick<OwnRequest, "loaders" | "splitter">,
): Promise<string> {
  const brings = files.length > 0 || Boolean(body.loader) || Boolean(body.docId);
  if (!brings && loaders !== undefined && loaders.length > 0) {
    const items = loaders.map((loader): UpsertItem => ({ ...body, ...toItem(loader) }));
    return upserts.beginRefresh(storeId, items, agentId);
  }
  const split = body.splitter ? {} : { splitter };
  return upserts.begin({ storeId, body: { ...body, ...split }, files, agentId, chat });
}

function toItem({ label, loader, splitter }: OwnStore["loaders"][number]): UpsertItem {
  return { loaderName: label, loader, ...(splitter && { splitter }) };
}

/** Explains for each name in `overrideConfig` why it cannot be overridden. */
export function invalidOverrides(names: readonly string[], why: (name: string) => string): WeftError {
  const errors = names.map((name) => ({ path: `overrideConfig.${name}`, message: why(name) }));
  const reason = errors.map(({ path, message }) => `${path} ${message}`).join("; ");
  return new WeftError("validation-failed", { params: { reason }, errors });
}
