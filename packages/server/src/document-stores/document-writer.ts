import type { DocumentWriter } from "@weft/engine";
import type { UpsertService } from "./upsert.service.ts";
import { sumOf } from "./upsert-settlement.ts";

/** Texts of flows, as upserts like any others: a repetition attaches to the one under way, or adds nothing. */
export function createDocumentWriter(upserts: Pick<UpsertService, "begin" | "result">): DocumentWriter {
  return {
    async write({ storeId, text, metadata, signal }) {
      const loader = { name: "plainText", config: { text } };
      const id = await upserts.begin({ storeId, body: { loader, metadata } });
      signal.throwIfAborted();
      return sumOf(await upserts.result(id));
    },
  };
}
