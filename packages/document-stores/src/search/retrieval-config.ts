import { type RetrievalSettings, retrievalSettingsSchema, WeftError } from "@weft/schema";
import type { StoreContext } from "../store-context.ts";
import type { DocumentStoreRow } from "../tables.ts";

/** A store's search settings unless a caller overrides them. */
export function readRetrievalConfig({ retrievalConfig }: DocumentStoreRow): RetrievalSettings {
  return retrievalSettingsSchema.parse(JSON.parse(retrievalConfig));
}

/** Rejects with `parameters-invalid` for invalid settings, or models that cannot be called. Calls no server. */
export async function assertRetrievalConfig(text: string | undefined, models: StoreContext): Promise<void> {
  if (text === undefined) return;
  const { data: settings, error } = retrievalSettingsSchema.safeParse(JSON.parse(text));
  if (settings === undefined) {
    const errors = (error?.issues ?? []).map(({ path, message }) => ({
      path: ["retrievalConfig", ...path].map(String).join("."),
      message,
    }));
    const reason = errors.map(({ path, message }) => `${path}: ${message}`).join("; ");
    throw new WeftError("parameters-invalid", { params: { reason }, errors });
  }
  const { rerank, chatModel = {} } = settings;
  try {
    if (rerank !== undefined && rerank.provider !== "none") await models.rerankers.resolve(rerank, chatModel);
    if (needsChatModel(settings)) await models.chatModels.resolve(chatModel);
  } catch (cause) {
    if (!(cause instanceof WeftError)) throw cause;
    throw new WeftError("parameters-invalid", { params: { reason: cause.message }, cause });
  }
}

function needsChatModel({ rewrite = false, variants = 0, hypothetical = false }: RetrievalSettings): boolean {
  return rewrite || variants > 0 || hypothetical;
}
