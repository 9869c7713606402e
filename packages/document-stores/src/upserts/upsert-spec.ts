import type { Cleanup } from "@weft/knowledge";
import type { RunError, UpsertCounts, UpsertFailure } from "@weft/schema";
import type { LoaderStatus } from "../state/index.ts";

/** What one upsert is to do with one loader. */
export type UpsertTask = {
  loaderId: string;
  /** False: the chunks that are there are upserted as they are. */
  loads: boolean;
  /** The new chunks take the place of the loader's. */
  replaces: boolean;
  /** What is loaded now is another source, which comes beside the loader's chunks. Absent in what older versions accepted. */
  adds?: boolean;
  cleanup: Cleanup;
  /** State of the loader before; a failure goes back to it. */
  before: LoaderStatus;
};

/** What one upsert is to do, fixed when it is accepted. */
export type UpsertSpec = {
  storeId: string;
  /** False: it loads and splits only. */
  embeds: boolean;
  /** Whether the record manager is on. Absent in what older versions accepted: it is. */
  records?: boolean;
  tasks: UpsertTask[];
  /** JSON texts. */
  embeddingConfig: string;
  vectorStoreConfig: string;
};

/** What came of one loader. */
export type TaskResult = UpsertCounts & { docId: string; failed: UpsertFailure[] };

/** What an upsert came to, as it is kept. */
export type UpsertOutcome = {
  state: "FINISHED" | "FAILED" | "CANCELLED";
  results: TaskResult[];
  /** Of all loaders. */
  failed: UpsertFailure[];
  error: RunError | null;
};

/** The numbers of one loader alone. */
export function toCounts({ failed: _, ...counts }: TaskResult): UpsertCounts & { docId: string } {
  return counts;
}
