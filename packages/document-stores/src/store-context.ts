import type { Database } from "@weft/database";
import type { ModelResolver } from "@weft/engine/ports/chat-model";
import type { Clock, IdSource } from "@weft/engine/ports/clock";
import type { LoaderServices } from "@weft/engine/ports/document-loader";
import type { Logger } from "@weft/http/logger";
import type { RerankResolver } from "@weft/providers";
import type { VectorStores } from "@weft/vector-stores";
import type { DocumentFiles } from "./files/document-files.ts";
import type { StoreBackend } from "./stores/store-backend.ts";

/** The parts that all of document stores work with. */
export type StoreContext = {
  database: Database;
  clock: Clock;
  ids: IdSource;
  logger: Logger;
  backend: StoreBackend;
  vectors: VectorStores;
  files: DocumentFiles;
  /** Services that loaders read their documents with. */
  loading: LoaderServices;
  /** Chat models and rerankers that improve searches. */
  chatModels: ModelResolver;
  rerankers: RerankResolver;
};
