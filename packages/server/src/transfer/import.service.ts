import { isDeepStrictEqual } from "node:util";
import type { AgentService } from "@weft/agents";
import type { Tables } from "@weft/database";
import {
  type GivenLoader,
  type ImportMode,
  type ImportOutcome,
  type ImportOutcomes,
  type ImportReport,
  type StoreQuestionSet,
  type TransferEntries,
  type TransferKind,
  transferKinds,
  WeftError,
} from "@weft/schema";
import { createPause } from "@weft/workers";
import type { Kysely } from "kysely";
import type { Needs } from "../feature.ts";
import type { ExportService } from "./export.service.ts";
import { findNextSteps } from "./next-steps.ts";
import { checkEntry, type FileEntry, invalidFile, kindNames, type Mistake, readFile } from "./read-file.ts";

type ImportServiceDeps = Needs<"agents" | "assistants" | "documentStores" | "tools" | "variables"> & {
  read: Kysely<Tables>;
  exporter: ExportService;
};

export type ImportOptions = {
  mode: ImportMode;
  /** Reports what would be done, and writes nothing. */
  dryRun: boolean;
};

/**
 * Adds what an export file holds, under the same ids. Invariants:
 * - Nothing is written unless the whole file is valid.
 * - Each entry is one transaction, and what is here already is left alone: an import that was interrupted is completed by
 *   another one of the same file.
 * - What is here and not in the file stays, and so do API keys and credentials.
 */
export type ImportService = {
  /** Rejects with `validation-failed`, which names the places in the file. */
  run(file: unknown, options: ImportOptions): Promise<ImportReport>;
};

export function createImportService(deps: ImportServiceDeps): ImportService {
  async function write({ planned, local }: Planned): Promise<void> {
    try {
      await writeEntry(deps, planned, local !== undefined);
    } catch (cause) {
      if (!(cause instanceof WeftError) || cause.retryable) throw cause;
      const message = `The import ended at ${planned.path}: ${cause.message} What comes before it is imported; import the file again to complete it.`;
      throw new WeftError("validation-failed", {
        message,
        errors: [{ path: planned.path, message: cause.message }],
        cause,
      });
    }
  }

  return {
    async run(file, { mode, dryRun }) {
      const { entries, credentials } = await readFile(file);
      const plan = await makePlan(deps, entries, mode);
      await assertWritable(deps, plan);
      const report = emptyReport(dryRun);
      for (const step of plan) {
        if (!dryRun && isWritten(step)) await write(step);
        const { kind, entry } = step.planned;
        report[kind][step.outcome].push({ id: entry.id, name: nameOf(step.planned) });
      }
      const written = plan.filter(isWritten).map(({ planned }) => planned);
      return { ...report, next: await findNextSteps(deps.read, { written, credentials }) };
    },
  };
}

/** `local`: the same thing as it is here. */
type Planned = { planned: FileEntry; outcome: ImportOutcome; local: FileEntry | undefined };

function isWritten({ outcome }: Planned): boolean {
  return outcome === "added" || outcome === "overwritten";
}

/** Compares the file with an export of this installation. */
async function makePlan(deps: ImportServiceDeps, entries: readonly FileEntry[], mode: ImportMode): Promise<Planned[]> {
  const here = await deps.exporter.read("current");
  const known = new Map<string, { kind: TransferKind; value: unknown }>();
  for (const kind of transferKinds) for (const value of here[kind]) known.set(String(value.id), { kind, value });
  const pause = createPause();
  const plan: Planned[] = [];
  for (const planned of entries) {
    const found = known.get(planned.entry.id);
    await pause();
    if (found?.kind !== planned.kind) {
      plan.push({ planned, outcome: "added", local: undefined });
      continue;
    }
    const checked = checkEntry(found.kind, planned.path, found.value);
    if (!checked.success) throw checked.error;
    const local = checked.entry;
    if (planned.kind === "assistants" && local.kind === "assistants") {
      planned.entry = await withKnownCredential(deps.read, planned.entry, local.entry);
    }
    const isSame = isDeepStrictEqual(...comparable(planned, local));
    const otherwise = mode === "overwrite" ? "overwritten" : "skipped";
    plan.push({ planned, outcome: isSame ? "unchanged" : otherwise, local });
  }
  return plan;
}

/** An existing assistant keeps its credential if the file's credential does not exist here. */
async function withKnownCredential(
  read: Kysely<Tables>,
  entry: TransferEntries["assistants"],
  { credential }: TransferEntries["assistants"],
): Promise<TransferEntries["assistants"]> {
  if (!entry.credential || entry.credential === credential) return entry;
  const found = await read.selectFrom("credentials").select("id").where("id", "=", entry.credential).executeTakeFirst();
  return found === undefined ? { ...entry, credential } : entry;
}

/** The comparable part of an entry in the file and of the same one here: neither dates nor earlier versions. */
function comparable(planned: FileEntry, local: FileEntry): [object, object] {
  if (planned.kind === "agents" && local.kind === "agents") {
    return [withoutHistory(planned.entry), withoutHistory(local.entry)];
  }
  if (planned.kind !== "documentStores" || local.kind !== "documentStores") {
    return [withoutDates(planned.entry), withoutDates(local.entry)];
  }
  const [{ files: _, ...wanted }, { files: __, ...held }] = [planned.entry, local.entry];
  const heldById = new Map(held.loaders?.map((loader) => [loader.id, loader]));
  const named = wanted.loaders ?? [];
  return [
    {
      ...withoutDates(wanted),
      loaders: named.map((loader) => withDefaults(loader, heldById.get(loader.id))),
      questionSet: namedOf(wanted.questionSet, wanted.questionSet),
    },
    {
      ...withoutDates(held),
      loaders: named.map(({ id }) => heldById.get(id)),
      questionSet: namedOf(held.questionSet, wanted.questionSet),
    },
  ];
}

/** The settings of one question set that another one names, in no order. */
function namedOf({ questions = [], checkAfterIndexing }: StoreQuestionSet, by: StoreQuestionSet) {
  const named = new Set(by.questions?.map(({ question }) => question));
  const told = questions.filter(({ question }) => named.has(question));
  return {
    questions: new Set(told.map(({ question, relevant, words }) => JSON.stringify([question, relevant, words]))),
    checkAfterIndexing: by.checkAfterIndexing === undefined ? undefined : checkAfterIndexing,
  };
}

/** Settings that a loader omits have their defaults once it is stored. */
function withDefaults(loader: GivenLoader, stored: GivenLoader | undefined): GivenLoader {
  return {
    ...loader,
    loaderConfig: { ...stored?.loaderConfig, ...loader.loaderConfig },
    splitterConfig: { ...stored?.splitterConfig, ...loader.splitterConfig },
  };
}

function withoutDates<T extends { createdDate: string; updatedDate: string }>(entry: T) {
  const { createdDate: _, updatedDate: __, ...rest } = entry;
  return rest;
}

/** An agent's binding to an API key belongs to its installation. */
function withoutHistory({ versions, needsApiKey: _, isPublic: __, ...entry }: TransferEntries["agents"]) {
  return { ...withoutDates(entry), flowData: versions.at(-1)?.flowData };
}

/** Rejects with `validation-failed` for ids that are something else here, and for stores that could not be written. */
async function assertWritable(deps: ImportServiceDeps, plan: readonly Planned[]): Promise<void> {
  const mistakes: Mistake[] = [];
  const pause = createPause();
  for (const { planned, outcome } of plan) {
    const { kind, path, entry } = planned;
    const other = outcome === "added" ? await kindOfId(deps.read, entry.id) : undefined;
    if (other !== undefined) {
      mistakes.push({ path: `${path}.id`, message: `is the id of another kind of resource here (${other})` });
    } else if (kind === "documentStores" && outcome !== "unchanged" && outcome !== "skipped") {
      await deps.documentStores.stores.check(entry).catch((error: unknown) => {
        if (!(error instanceof WeftError)) throw error;
        mistakes.push({ path, message: error.message });
      });
    }
    await pause();
  }
  if (mistakes.length > 0) throw invalidFile(mistakes);
}

/** The kind of thing with this id here. For ids that did not exist a moment ago. */
async function kindOfId(read: Kysely<Tables>, id: string): Promise<string | undefined> {
  for (const table of [...transferKinds, "credentials"] as const) {
    const found = await read.selectFrom(table).select("id").where("id", "=", id).executeTakeFirst();
    if (found !== undefined) return table === "credentials" ? "credential" : kindNames[table];
  }
  return undefined;
}

/** Inserts an entry with its dates, or updates the existing one. */
function writeEntry(deps: ImportServiceDeps, { kind, entry }: FileEntry, isHere: boolean): Promise<unknown> {
  const { variables, tools, assistants, documentStores } = deps;
  const dates = datesOf(entry);
  switch (kind) {
    case "variables": {
      const { id, name, type, value } = entry;
      // A value omitted from the export stays unchanged.
      return isHere
        ? variables.update(id, { name, type, ...(value !== null && { value }) })
        : variables.create(entry, dates);
    }
    case "tools": {
      const { id, ...body } = withoutDates(entry);
      return isHere ? tools.update(id, body) : tools.create({ id, ...body }, dates);
    }
    case "documentStores": {
      const { files: _, id, ...body } = withoutDates(entry);
      return isHere ? documentStores.stores.update(id, body) : documentStores.stores.create({ id, ...body }, dates);
    }
    case "agents":
      return writeAgent(deps.agents, entry, isHere);
    case "assistants": {
      const { id, ...body } = withoutDates(entry);
      return isHere ? assistants.update(id, body) : assistants.create({ id, ...body }, { dates });
    }
  }
}

/** Overwriting leaves the agent as open or closed as it is here. */
function writeAgent(agents: AgentService, entry: TransferEntries["agents"], isHere: boolean): Promise<unknown> {
  const { versions, needsApiKey: _, id, isPublic, ...settings } = withoutDates(entry);
  const [current, ...earlier] = versions.toReversed();
  if (current === undefined) throw new Error("An entry without a version passed its schema.");
  const { flowData, createdDate, ...version } = current;
  const body = { ...settings, flowData, version };
  if (isHere) return agents.update(id, body);
  const origin = { dates: datesOf(entry), flowDate: createdDate, earlier: earlier.toReversed() };
  return agents.create({ ...body, id, isPublic }, origin);
}

function datesOf({ createdDate, updatedDate }: { createdDate: string; updatedDate: string }) {
  return { createdDate, updatedDate };
}

function nameOf({ kind, entry }: FileEntry): string {
  return kind === "assistants" ? entry.details.name : entry.name;
}

function emptyReport(dryRun: boolean): Omit<ImportReport, "next"> {
  const none = (): ImportOutcomes => ({ added: [], unchanged: [], overwritten: [], skipped: [] });
  return { dryRun, variables: none(), tools: none(), documentStores: none(), agents: none(), assistants: none() };
}
