import type { Tables } from "@weft/database";
import {
  type ImportNextStep,
  type Json,
  type JsonObject,
  parseJson,
  removedSecret,
  type TransferEntries,
  toJsonObject,
} from "@weft/schema";
import { createPause } from "@weft/workers";
import type { Kysely } from "kysely";
import { type CheckedFile, type FileEntry, kindNames } from "./read-file.ts";
import { isSecretName } from "./strip-secrets.ts";

type Imported = { written: readonly FileEntry[]; credentials: CheckedFile["credentials"] };

/** Manual steps required before everything that an import writes works as it did elsewhere. */
export async function findNextSteps(read: Kysely<Tables>, imported: Imported): Promise<ImportNextStep[]> {
  const steps = await findCredentials(read, imported);
  const pause = createPause();
  for (const written of imported.written) {
    steps.push(...stepsOf(written));
    await pause();
  }
  return steps;
}

async function findCredentials(read: Kysely<Tables>, { credentials }: Imported): Promise<ImportNextStep[]> {
  const steps: ImportNextStep[] = [];
  for (const { id, name, credentialName } of credentials) {
    const here = await read.selectFrom("credentials").select("id").where("id", "=", id).executeTakeFirst();
    if (here !== undefined) continue;
    const message =
      credentialName === "webhookSecret"
        ? `"${name}" is a webhook secret. Create a new secret for the agent, and give it to the callers of its webhook.`
        : `Add the credential "${name}" of the type ${credentialName} with POST /api/v1/credentials and the id ${id}, or choose another credential wherever it is used.`;
    steps.push({ topic: "credential", id, name, message });
  }
  return steps;
}

function stepsOf(written: FileEntry): ImportNextStep[] {
  const { kind, entry } = written;
  const steps: ImportNextStep[] = [];
  if (kind === "documentStores") steps.push(...storeSteps(entry));
  if (kind === "agents") steps.push(...agentSteps(entry));
  if (kind === "variables" && entry.value === null && isSecretName(entry.name)) {
    const message = `The export left out the value of the variable "${entry.name}". Enter it under Variables.`;
    steps.push({ topic: "secret", id: entry.id, name: entry.name, message });
  }
  const name = kind === "assistants" ? entry.details.name : entry.name;
  const places = findRemoved(currentOf(written));
  if (places.length > 0) {
    const where = places.slice(0, 10).join(", ");
    const message = `The export left out secrets of the ${kindNames[kind]} "${name}" at ${where}. Replace ${removedSecret} there, if possible by a credential.`;
    steps.push({ topic: "secret", id: entry.id, name, message });
  }
  return steps;
}

function storeSteps({ id, name, files, loaders }: TransferEntries["documentStores"]): ImportNextStep[] {
  const todo = [
    ...(files.length > 0 ? [`Upload its files again: ${files.slice(0, 20).join(", ")}.`] : []),
    ...((loaders ?? []).length > 0 ? ["Upsert it again, so that its documents are found."] : []),
  ];
  if (todo.length === 0) return [];
  return [
    { topic: "document-store", id, name, message: `The document store "${name}" has no documents. ${todo.join(" ")}` },
  ];
}

function agentSteps({ id, name, needsApiKey, versions }: TransferEntries["agents"]): ImportNextStep[] {
  const steps: ImportNextStep[] = [];
  if (needsApiKey) {
    const message = `The agent "${name}" was bound to an API key. Create a key, give it to the agent's clients, and bind the agent to it.`;
    steps.push({ topic: "api-key", id, name, message });
  }
  if (/"cron\\?"\s*:\s*\\?"[^"\\]/.test(versions.at(-1)?.flowData ?? "")) {
    const message = `The agent "${name}" may start on a schedule, which begins with the import. Switch the schedule off here or on the other installation.`;
    steps.push({ topic: "schedule", id, name, message });
  }
  return steps;
}

/** For an agent, only its current flow. */
function currentOf({ kind, entry }: FileEntry): JsonObject {
  const shown =
    kind === "agents" ? { ...entry, versions: undefined, flowData: entry.versions.at(-1)?.flowData } : entry;
  return toJsonObject(JSON.parse(JSON.stringify(shown)));
}

/** Paths of the texts that hold a removed secret; paths inside JSON text continue from the path of the text. */
function findRemoved(value: Json, path = ""): string[] {
  if (typeof value === "string") {
    if (!value.includes(removedSecret)) return [];
    const parsed = /^\s*[[{]/.test(value) ? parseJson(value) : undefined;
    return parsed === undefined ? [path] : findRemoved(parsed, path);
  }
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, inner]) => findRemoved(inner, path === "" ? name : `${path}.${name}`));
}
