import type { FlowiseFile, FlowiseRow } from "@weft/flowise-source";
import { type GivenLoader, isJsonObject, type Json, type JsonObject, parseJson, WeftError } from "@weft/schema";
import type { Needs } from "../feature.ts";
import { datesOf, type ImportContext, idsHere, onlyFresh, pagesOf, writeOne } from "./copy-rows.ts";

type StoreNeeds = Needs<"documentStores">;

/** Imports document stores with their loaders, files and chunks, not yet embedded. */
export async function importStores(context: ImportContext, needs: StoreNeeds): Promise<void> {
  const stores: FlowiseRow<"document_store">[] = [];
  for await (const { rows, tally } of pagesOf(context, "document_store")) {
    const fresh = new Set((await onlyFresh(context, rows, { into: "documentStores", tally })).map(({ id }) => id));
    for (const row of rows) {
      if (fresh.has(row.id)) await importStore(context, needs, { row, tally });
      stores.push(row);
    }
  }
  const fresh = new Set<string>();
  for (const row of stores) for (const id of await importLoaders(context, needs, row)) fresh.add(id);
  await importChunks(context, needs, fresh);
  if (context.dryRun) return;
  for (const { id } of stores) await needs.documentStores.adoption.settle(id);
}

type StoreRow = { row: FlowiseRow<"document_store">; tally: ReturnType<ImportContext["report"]["table"]> };

async function importStore(context: ImportContext, { documentStores }: StoreNeeds, { row, tally }: StoreRow) {
  const { stores } = documentStores;
  const name = row.name?.trim().slice(0, 500) || row.id;
  const configs: Record<string, string> = {};
  for (const [field, what] of parts) {
    const text = row[field];
    if (text === null || text.trim() === "" || choiceOf(text) === undefined) continue;
    try {
      await stores.check({ id: row.id, name, description: "", [field]: text, loaders: [] });
      configs[field] = text;
    } catch (cause) {
      if (!(cause instanceof WeftError)) throw cause;
      context.report.note(
        `The document store "${name}" uses the built-in ${what} in place of ${choiceOf(text)}: ${cause.message}`,
      );
    }
  }
  const body = { id: row.id, name, description: row.description ?? "", ...configs, loaders: [] };
  await writeOne(context, { name, tally }, () => stores.create(body, datesOf(row)));
}

const parts = [
  ["embeddingConfig", "embedding model"],
  ["vectorStoreConfig", "vector database"],
  ["recordManagerConfig", "record manager"],
] as const;

/** The name of the component selected in a JSON text. */
function choiceOf(text: string): string | undefined {
  const choice = parseJson(text);
  return isJsonObject(choice) && typeof choice.name === "string" && choice.name !== "" ? choice.name : undefined;
}

const loadersTable = "document_store.loaders";

/** Resolves with the ids of the new loaders. */
async function importLoaders(context: ImportContext, needs: StoreNeeds, row: FlowiseRow<"document_store">) {
  const tally = context.report.table(loadersTable);
  const listed = parseJson(row.loaders ?? "[]");
  const loaders = (Array.isArray(listed) ? listed : []).filter(isJsonObject).map(toLoader);
  tally.read(loaders.length);
  const storeIsHere = context.dryRun || (await idsHere(context.database.read, "documentStores", [row.id])).size > 0;
  const fresh = await onlyFresh(context, loaders, { into: "documentLoaders", tally });
  for (const loader of fresh) {
    if (storeIsHere) await importLoader(context, needs, { loader, store: row });
    else tally.left("Its document store was left.", loader.id);
  }
  return fresh.map(({ id }) => id);
}

type ForeignLoader = { id: string; given: GivenLoader };

function toLoader(entry: JsonObject): ForeignLoader {
  const config = isJsonObject(entry.loaderConfig) ? entry.loaderConfig : {};
  const credential = textOf(entry.credential);
  return {
    id: textOf(entry.id) ?? "",
    given: {
      loaderId: textOf(entry.loaderId),
      loaderName: textOf(entry.loaderName)?.slice(0, 500),
      loaderConfig: credential === undefined ? config : { ...config, credential },
      splitterId: textOf(entry.splitterId),
      splitterConfig: isJsonObject(entry.splitterConfig) ? entry.splitterConfig : {},
    },
  };
}

type LoaderOf = { loader: ForeignLoader; store: FlowiseRow<"document_store"> };

/** A loader that is unknown here keeps its passages under its name, and cannot load again. */
async function importLoader(context: ImportContext, { documentStores }: StoreNeeds, { loader, store }: LoaderOf) {
  const { id, given } = loader;
  const { adoption } = documentStores;
  const { loaderConfig, names } = withoutFiles(given.loaderConfig ?? {});
  const files = await readFiles(context, store.id, names);
  const name = given.loaderName || given.loaderId || id;
  const place = `The loader "${name}" of the document store "${store.name}"`;
  if (files.length < names.length) {
    const missing = names.length - files.length;
    const what = missing === 1 ? "a file" : `${missing} files`;
    context.report.note(`${place} lacks ${what} that the storage folder does not have.`);
  }
  const adopt = context.dryRun ? adoption.check : adoption.add;
  try {
    await adopt({ id, storeId: store.id, given: { ...given, loaderConfig }, files });
  } catch (cause) {
    if (!(cause instanceof WeftError) || cause.retryable) throw cause;
    const unknown = {
      loaderName: name,
      loaderId: "plainText",
      loaderConfig: { text: `${name} was loaded elsewhere.` },
    };
    await adopt({ id, storeId: store.id, given: unknown, files: [] });
    context.report.note(
      `${place} keeps its passages, and cannot load them again: ${cause.message} Add another loader before you process it.`,
    );
  }
  context.report.table(loadersTable).written(1);
}

const storedFiles = "FILE-STORAGE::";

/** The configuration without the names of stored files, and these names. */
function withoutFiles(config: JsonObject): { loaderConfig: JsonObject; names: string[] } {
  const names: string[] = [];
  const kept = Object.entries(config).filter(([, value]) => {
    if (typeof value !== "string" || !value.startsWith(storedFiles)) return true;
    const listed = value.slice(storedFiles.length);
    const parsed = parseJson(listed);
    names.push(...(Array.isArray(parsed) ? parsed.map(String) : [listed]));
    return false;
  });
  return { loaderConfig: Object.fromEntries(kept), names };
}

async function readFiles({ source }: ImportContext, store: string, names: readonly string[]) {
  if (names.length === 0) return [];
  const wanted = new Set(names);
  const found: { name: string; mimeType: string; bytes: Uint8Array }[] = [];
  for await (const file of source.files({ store })) if (wanted.has(file.name)) found.push(await toFile(file));
  return found;
}

/** The file reader goes by their names. */
async function toFile({ name, read }: FlowiseFile) {
  return { name, mimeType: "application/octet-stream", bytes: await read() };
}

/** `fresh`: the loaders of this import, which a dry run does not write. */
async function importChunks(context: ImportContext, { documentStores }: StoreNeeds, fresh: ReadonlySet<string>) {
  const add = adderOf(context, documentStores, fresh);
  const numbers = new Map<string, number>();
  for await (const { rows, tally } of pagesOf(context, "document_store_file_chunk")) {
    for (const [key, ofLoader] of Map.groupBy(rows, ({ storeId, docId }) => `${storeId} ${docId}`)) {
      const [{ storeId, docId } = { storeId: null, docId: null }] = ofLoader;
      const chunks = ofLoader.map(({ id, chunkNo, pageContent, metadata }) => {
        const number = chunkNo !== null && chunkNo > (numbers.get(key) ?? 0) ? chunkNo : (numbers.get(key) ?? 0) + 1;
        numbers.set(key, number);
        return { id, chunkNo: number, pageContent: pageContent ?? "", metadata: objectText(metadata) };
      });
      const added = await add(storeId ?? "", docId ?? "", chunks);
      if (added === undefined) await countPassedOver(context, { tally, docId: docId ?? "", count: chunks.length });
      else {
        tally.written(added);
        tally.there(chunks.length - added);
      }
    }
  }
}

type AddChunks = StoreNeeds["documentStores"]["adoption"]["addChunks"];

function adderOf({ dryRun }: ImportContext, { adoption }: StoreNeeds["documentStores"], fresh: ReadonlySet<string>) {
  const check: AddChunks = async (storeId, loaderId, chunks) =>
    fresh.has(loaderId) ? chunks.length : adoption.checkChunks(storeId, loaderId, chunks);
  return dryRun ? check : adoption.addChunks;
}

type PassedOver = { tally: StoreRow["tally"]; docId: string; count: number };

/** Chunks of a loader that has since processed its documents here, or that was skipped. */
async function countPassedOver({ database }: ImportContext, { tally, docId, count }: PassedOver): Promise<void> {
  const loaders = await idsHere(database.read, "documentLoaders", [docId]);
  if (loaders.has(docId)) return tally.there(count);
  for (let chunk = 0; chunk < count; chunk += 1) tally.left("Its loader does not exist.", docId);
}

function objectText(text: string | null): string {
  return text !== null && isJsonObject(parseJson(text) ?? null) ? text : "{}";
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
