import type { RequestOptions, UpsertJob } from "@weft/client";
import { client } from "../../api/client.ts";
import { type Upload, uploadNames, uploadTitle } from "./upload/upload.ts";

/** Functions that start an upsert; each resolves with its id immediately, while the upsert continues. */
export const upsertActions = {
  /** Loads files with the splitter that the server chooses. */
  async upload(storeId: string, uploads: readonly Upload[]): Promise<string> {
    const form = new FormData();
    form.append("loaderName", uploadTitle(uploads.map(({ path }) => path)));
    return (await client.beginUpsert({ id: storeId }, appendUploads(form, uploads))).id;
  },

  /** Loads what changed: one loader, or all of the store. */
  refresh: async (storeId: string, docId?: string) =>
    (await client.beginRefresh({ id: storeId }, docId === undefined ? {} : { items: [{ docId }] })).id,

  /** Embeds the chunks as they are, edits included. */
  insert: (storeId: string, docId: string) =>
    beginWithoutWaiting((options) => client.insertVectors({ storeId, docId }, options)),

  /** Loads and splits only. */
  process: (storeId: string, loaderId: string) =>
    beginWithoutWaiting((options) => client.processLoader({ loaderId }, { storeId }, options)),
} as const;

/** Adds files under the names that they are stored with. */
export function appendUploads(form: FormData, uploads: readonly Upload[]): FormData {
  const names = uploadNames(uploads.map(({ path }) => path));
  for (const [index, { file }] of uploads.entries()) form.append("files", file, names[index] ?? file.name);
  return form;
}

/** RFC 7240: the server responds immediately with the location of the upsert. */
async function beginWithoutWaiting(send: (options: RequestOptions) => Promise<unknown>): Promise<string> {
  let location = "";
  await send({
    headers: { prefer: "respond-async" },
    onResponse: (response) => {
      location = response.headers.get("location") ?? "";
    },
  });
  return location.split("/").at(-1) ?? "";
}

export type UpsertPhase = "loading" | "upserting" | "upserted" | "processed" | "failed" | "cancelled";

type Job = Pick<UpsertJob, "state" | "planned" | "written" | "results">;

/**
 * The phase of an upsert. While planned chunks are not yet written it is upserting. One that wrote nothing new but
 * split something new only loaded and split.
 */
export function upsertPhase({ state, planned, written, results }: Job): UpsertPhase {
  switch (state) {
    case "RUNNING":
      return written < planned ? "upserting" : "loading";
    case "FINISHED":
      return written === 0 && results.some(({ numAdded, numUpdated }) => numAdded + numUpdated > 0)
        ? "processed"
        : "upserted";
    case "FAILED":
      return "failed";
    case "CANCELLED":
      return "cancelled";
  }
}
