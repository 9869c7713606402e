import {
  type DocumentStoreCreate,
  type OwnStore,
  type OwnStoreLoader,
  toOwnStoreReference,
  WeftError,
} from "@weft/schema";
import { resolveStoreId } from "../search/index.ts";
import { addUse, findStore } from "../state/document-store.store.ts";
import type { StoreContext } from "../store-context.ts";
import type { DocumentStoreService } from "./document-store.service.ts";
import type { StoreBackend } from "./store-backend.ts";

/** Stores that belong to agents, because their flows describe them. Once created, they are ordinary stores. */
export type OwnStores = {
  /**
   * Creates missing ones: named after the agent, with the loaders of the description, and empty. Existing ones stay
   * unchanged. Unusable parts of a description are left out, see `problems`.
   */
  make(agent: { id: string; name: string }, stores: readonly OwnStore[]): Promise<void>;
  /**
   * Reasons why a store cannot be filled as described, in sentences: unusable parts, and an embedding model that lacks
   * its credential. If the agent's store exists, the store itself is checked.
   */
  problems(store: OwnStore, agentId?: string): Promise<string[]>;
};

export function createOwnStores({ database, backend }: StoreContext, stores: DocumentStoreService): OwnStores {
  async function fit(store: OwnStore, id: string) {
    const body: Omit<DocumentStoreCreate, "id" | "loaders"> & { id: string } = {
      id,
      name: store.label,
      description: "",
    };
    const problems: string[] = [];
    const loaders: NonNullable<DocumentStoreCreate["loaders"]> = [];
    for (const part of partsOf(store)) {
      const { loaders: given = [], ...settings } = part;
      try {
        await stores.check({ ...body, ...part });
        Object.assign(body, settings);
        loaders.push(...(given ?? []));
      } catch (cause) {
        if (!(cause instanceof WeftError)) throw cause;
        problems.push(cause.message);
      }
    }
    return { body: { ...body, loaders }, problems };
  }

  return {
    async make(agent, described) {
      for (const store of described) {
        const id = resolveStoreId(toOwnStoreReference(store), agent.id);
        if ((await findStore(database.read, id)) === undefined) {
          const { body } = await fit(store, id);
          const name = `${agent.name} – ${titleOf(store, described)}`.slice(0, 500);
          const description = `Belongs to the agent "${agent.name}".`;
          await unlessThere(stores.create({ ...body, name, description }));
        }
        await database.write((tx) => addUse(tx, { storeId: id, agentId: agent.id }), { isolation: "read-committed" });
      }
    },

    async problems(store, agentId) {
      const id = resolveStoreId(toOwnStoreReference(store), agentId);
      const existing = await findStore(database.read, id);
      if (existing !== undefined) return embeddingProblems(backend, existing);
      const { body, problems } = await fit(store, checkedId);
      return [...problems, ...(await embeddingProblems(backend, body))];
    },
  };
}

/** The label, with the key if several stores of a flow share it. */
function titleOf({ label, key }: OwnStore, all: readonly OwnStore[]): string {
  return all.some((other) => other.key !== key && other.label === label) ? `${label} (${key})` : label;
}

/** Reasons why embedding is impossible. Calls no other server. */
async function embeddingProblems(
  backend: StoreBackend,
  { embeddingConfig = "{}" }: { embeddingConfig?: string | undefined },
): Promise<string[]> {
  try {
    await backend.embedder({ embeddingConfig });
    return [];
  } catch (cause) {
    if (!(cause instanceof WeftError)) throw cause;
    return [cause.message];
  }
}

/** Never the id of a store. */
const checkedId = "00000000-0000-8000-8000-000000000000";

type Part = Partial<Omit<DocumentStoreCreate, "id">>;

/** The components of a store, each separately. */
function partsOf({ embedding, vectorStore, recordManager, loaders }: OwnStore): Part[] {
  return [
    ...(embedding ? [{ embeddingConfig: JSON.stringify(embedding) }] : []),
    ...(vectorStore ? [{ vectorStoreConfig: JSON.stringify(vectorStore) }] : []),
    ...(recordManager ? [{ recordManagerConfig: JSON.stringify(recordManager) }] : []),
    ...loaders.map((loader) => ({ loaders: [toGiven(loader)] })),
  ];
}

function toGiven({ label, loader, splitter }: OwnStoreLoader) {
  return {
    loaderName: label,
    loaderId: loader.name,
    loaderConfig: loader.config,
    ...(splitter && { splitterId: splitter.name, splitterConfig: splitter.config }),
  };
}

/** Concurrent requests may create the same store: both get it. */
async function unlessThere(made: Promise<unknown>): Promise<void> {
  try {
    await made;
  } catch (cause) {
    if (!(cause instanceof WeftError && cause.code === "conflict")) throw cause;
  }
}
