import { access, constants, stat } from "node:fs/promises";
import { join } from "node:path";
import { listSchemaChanges, unknownChanges } from "@weft/database/migrate";
import { migrations } from "@weft/database/migrations";
import { countOrphans } from "@weft/document-stores";
import { findTokenKeyProblem, loadTokenKey } from "@weft/identity";
import { nodeRegistry } from "@weft/nodes";
import { findOverdue } from "@weft/run-host";
import { parseTextList, toMoment } from "@weft/schema";
import { type RawBuilder, sql } from "kysely";
import { findBrokenAudit } from "../audit/index.ts";
import {
  createCredentialUses,
  findUnconfirmedDestinations,
  findUnreadable,
  findUnreadableAddresses,
  loadEncryptionKeys,
} from "../credentials/index.ts";
import type { Needs } from "../feature.ts";
import { findClosedOverrides } from "../predictions/index.ts";
import { createStoredReferences } from "../references/index.ts";
import { createVariableValues } from "../variables/variable-values.ts";
import { byStore, countVectors } from "./purge-orphans.ts";
import { type Check, type CheckDeps, type Notice, nodeCheck, spaceCheck } from "./space-check.ts";

/** Whether the key files exist and hold keys, if the environment does not, and whether these open every credential. */
const keysCheck: Check = {
  name: "keys",
  async run(deps) {
    const { dataDir, jwtKey, encryptionKey } = deps.config;
    const ofFile = jwtKey.isEmpty ? await problemOf(dataDir, "jwt.key", loadTokenKey) : undefined;
    const ofTokens = ofFile ?? (await findTokenKeyProblem(deps, deps.config));
    const ofCredentials = encryptionKey.isEmpty
      ? await problemOf(dataDir, "encryption.key", loadEncryptionKeys)
      : undefined;
    const messages = [ofTokens, ofCredentials].filter((message) => message !== undefined);
    if (ofCredentials !== undefined) return messages.map((message) => ({ message }));
    return [...messages.map((message) => ({ message })), ...(await sealedForGood(deps))];
  },
};

const lossOf = {
  "jwt.key": "the next start makes a new one, and everybody has to log in again",
  "encryption.key": "if credentials are stored, the server does not start without it",
};

/** Reads the file only if it exists: reading a missing one creates it. */
async function problemOf(
  dataDir: string,
  name: keyof typeof lossOf,
  load: (dataDir: string) => Promise<unknown>,
): Promise<string | undefined> {
  try {
    await access(join(dataDir, name), constants.R_OK);
    await load(dataDir);
    return undefined;
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "ENOENT") {
      return `${dataDir} has no ${name}: ${lossOf[name]}. Put the file from the last backup there before the next start.`;
    }
    if (code === "EACCES")
      return `${name} in ${dataDir} cannot be read by this user. Run this as the user of the server.`;
    return cause instanceof Error ? cause.message : String(cause);
  }
}

async function sealedForGood({ read, config: { dataDir, encryptionKey: given } }: CheckDeps): Promise<Notice[]> {
  const remedy = given.isEmpty
    ? `Put the encryption.key from its time into ${dataDir}`
    : "Add the key from its time to ENCRYPTION_KEY, in front of the others";
  return (await findUnreadable(read, { dataDir, given })).map(({ table, id, name, reason }) => {
    const what = table === "credentials" ? "credential" : "identity provider";
    return {
      message: `The ${what} "${name}" (${id}) cannot be opened: ${reason}. ${remedy}, or enter its values again.`,
      resource: { type: what, id, name },
    };
  });
}

/** Agents whose clients recently sent overrides that no longer have an effect. */
const overridesCheck: Check = {
  name: "overrides",
  async run({ read, now }) {
    return (await findClosedOverrides(read, now())).map(({ agentId: id, agentName: name, names }) => ({
      message: `Clients of the agent "${name}" (${id}) sent ${names.slice(0, 20).join(", ")} in the last 30 days, which its settings do not enable, so it is ignored. Enable it under Overrides in the agent's settings, or leave it closed.`,
      resource: { type: "agent", id, name },
    }));
  },
};

/** Webhooks that accept the older signature, which a captured request can replay. */
const webhooksCheck: Check = {
  name: "webhooks",
  async run({ read }) {
    const agents = await read
      .selectFrom("agents")
      .select(["id", "name", "flowData"])
      .where("flowData", "like", "%acceptsOlderSignature%")
      .orderBy("name")
      .orderBy("id")
      .execute();
    return agents
      .filter(({ flowData }) => /"acceptsOlderSignature"\s*:\s*true/.test(flowData))
      .map(({ id, name }) => ({
        message: `The webhook of the agent "${name}" (${id}) also takes X-Webhook-Signature, with which a captured request runs again. Switch "Accept X-Webhook-Signature, too" off in its start step when its callers sign as Standard Webhooks describes.`,
        resource: { type: "agent", id, name },
      }));
  },
};

/** Whether the file of an SQLite database is intact, and whether rows lack their parent row. */
const integrityCheck: Check = {
  name: "integrity",
  async run(deps) {
    return [...(await damages(deps)), ...(await foreignRows(deps))].map((message) => ({ message }));
  },
};

async function damages({ read, dialect }: CheckDeps): Promise<string[]> {
  if (dialect !== "sqlite") return [];
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(3)`.execute(read);
  const found = rows.map(({ quick_check }) => quick_check).filter((text) => text !== "ok");
  if (found.length === 0) return [];
  return [
    `The database is damaged: ${found.join("\n").replaceAll("\n", "; ")}. Stop the server, keep a copy of the data folder, and restore the last backup: docs/backup.md.`,
  ];
}

/**
 * Counts of rows whose owner is gone, each with its sentence. No server leaves such rows; damage and manual changes do.
 */
const counts: readonly [query: RawBuilder<{ total: number | string }>, toSentence: (total: number) => string][] = [
  [
    sql`select count(*) as total from (select distinct "runId" from "runEvents") as journals
      where not exists (select 1 from "runs" where "runs"."id" = journals."runId")`,
    (total) => `There are journals of ${total} runs that do not exist. Restore a backup if runs are missing.`,
  ],
  [
    sql`select count(*) as total from "runs" where "status" in ('running', 'suspended')
      and not exists (select 1 from "runEvents" where "runEvents"."runId" = "runs"."id" and "runEvents"."seq" = "runs"."lastSeq")`,
    (total) =>
      `The journals of ${total} running or waiting runs are incomplete, so these runs cannot continue. Restore a backup, or cancel them.`,
  ],
  [
    sql`select count(*) as total from "vectorRecords" where not exists
      (select 1 from "vectorCollections" where "vectorCollections"."collectionKey" = "vectorRecords"."collectionKey")`,
    (total) =>
      `There are ${total} embedded vectors that belong to no collection, so no search finds them. Upsert the document stores again.`,
  ],
];

async function foreignRows({ read }: CheckDeps): Promise<string[]> {
  const sentences: string[] = [];
  for (const [query, toSentence] of counts) {
    const total = Number((await query.execute(read)).rows[0]?.total ?? 0);
    if (total > 0) sentences.push(toSentence(total));
  }
  return sentences;
}

/** A server removes due data within minutes. Data due for longer waits for the next start. */
const graceMs = 3_600_000;

/** What the next start will remove of old runs: after an upgrade, or with a shorter setting, it can be much. */
const retentionCheck: Check = {
  name: "retention",
  async run({ read, config: { executionRetentionMs, payloadRetentionMs }, now }) {
    const messages: string[] = [];
    const before = (ms: number) => toMoment(now() - ms - graceMs);
    if (executionRetentionMs > 0) {
      const { runs } = await findOverdue(read, { before: before(executionRetentionMs), since: "ever" });
      if (runs > 0) {
        messages.push(`EXECUTION_RETENTION: ${runs} runs ended so long ago that a server deletes them when it runs.`);
      }
    }
    if (payloadRetentionMs > 0) {
      const { runs, bytes } = await findOverdue(read, { before: before(payloadRetentionMs), since: "mark" });
      if (bytes > 0) {
        messages.push(
          `PAYLOAD_RETENTION: a server removes up to ${Math.ceil(bytes / 1_024 ** 2)} MB of large inputs and outputs from runs that ended before ${before(payloadRetentionMs)} (${runs} are looked at). Set it to off, or to more days, to keep them.`,
        );
      }
    }
    return messages.map((message) => ({ message }));
  },
};

/** API keys that reach the chats of others. Keys that predate chat owners do. */
const sharedChatsCheck: Check = {
  name: "api-keys",
  async run({ read }) {
    const keys = await read
      .selectFrom("apiKeys")
      .select(["id", "keyName", "permissions"])
      .orderBy("keyName")
      .orderBy("id")
      .execute();
    return keys
      .filter(({ permissions }) => parseTextList(permissions).includes("chats:all"))
      .map(({ id, keyName: name }) => ({
        message: `The API key "${name}" (${id}) reaches the chats of every owner, because it holds chats:all. Take that permission away if it only needs the chats of its own client.`,
        resource: { type: "api-key", id, name },
      }));
  },
};

/** Whether other users of this machine can read the data folder, which holds the keys. */
const dataFolderCheck: Check = {
  name: "data-folder",
  async run({ config: { dataDir } }) {
    if (process.platform === "win32") return [];
    const { mode } = await stat(dataDir);
    if ((mode & 0o007) === 0) return [];
    return [
      {
        message: `Every user of this machine can look into the data folder ${dataDir}. They cannot read the files in it, but they see their names. Close it: chmod 700 ${dataDir}.`,
      },
    ];
  },
};

/** Vectors whose passage was deleted: no search returns them, and they stay until someone removes them. */
const orphansCheck: Check = {
  name: "document-stores",
  async run({ read }) {
    return byStore(await countOrphans(read)).map(({ id, name, vectors }) => ({
      message: `The document store "${name}" (${id}) holds ${countVectors(vectors)} of deleted passages, which no search returns. npm run -s doctor -- --fix removes them; with SQLite, stop the server first.`,
      resource: { type: "document-store", id, name },
    }));
  },
};

/** Credentials whose destination only a run can resolve: calls to hosts that are not listed are refused. */
const credentialHostsCheck: Check = {
  name: "credential-hosts",
  async run(deps) {
    const found = await findUnreadableAddresses(deps.read, usesHere(deps));
    return found.map(({ id, name, hosts, places }) => ({
      message: `Only a run can tell where the credential "${name}" (${id}) is sent by ${places.slice(0, 10).join("; ")}. It may be sent to ${hosts.join(", ") || "its vendor's hosts alone"}; any other host is refused. Add the intended hosts to the credential.`,
      resource: { type: "credential", id, name },
    }));
  },
};

/** Destinations that predate approval. */
const destinationsCheck: Check = {
  name: "credential-destinations",
  async run(deps) {
    const found = await findUnconfirmedDestinations(deps.read, usesHere(deps));
    return found.map(({ id, name, destinations }) => ({
      message: `The credential "${name}" (${id}) may be sent to ${destinations
        .slice(0, 10)
        .map(({ destination, places }) => `${destination} (${places.slice(0, 5).join(", ") || "used by nothing"})`)
        .join("; ")}, since before destinations had to be allowed. Remove under Credentials those that are not meant.`,
      resource: { type: "credential", id, name },
    }));
  },
};

function usesHere({ read, config, now }: CheckDeps): Needs<"credentialUses" | "references"> {
  const variables = createVariableValues({
    list: () => read.selectFrom("variables").selectAll().orderBy("updatedDate", "desc").orderBy("id").execute(),
    clock: { now },
    environment: config.runtimeVariables,
    defaults: config.variables,
    know: () => undefined,
  });
  return {
    credentialUses: createCredentialUses(variables, config),
    references: createStoredReferences(nodeRegistry),
  };
}

/** Whether the database has the tables of this version. Every other check needs them. */
export const schemaCheck: Check = {
  name: "schema",
  async run({ read }) {
    const done = new Set(await listSchemaChanges(read));
    const missing = Object.keys(migrations).filter((name) => !done.has(name));
    const unknown = unknownChanges([...done]);
    if (unknown.length > 0) {
      return [
        {
          message: `The data was written by a newer version of Weft (it has ${unknown.join(", ")}). Run the doctor of that version.`,
        },
      ];
    }
    if (missing.length === 0) return [];
    return [
      {
        message: `The database is of an earlier version and lacks ${missing.join(", ")}. Back it up, start this version once, then run the doctor again: the other checks need the new tables.`,
      },
    ];
  },
};

/** Whether the audit log is what servers wrote. */
const auditCheck: Check = {
  name: "audit",
  async run({ read }) {
    const seq = await findBrokenAudit(read);
    if (seq === undefined) return [];
    const message = `The audit log was changed by something other than a server: entry ${seq} is the first one that does not continue the chain. Compare it with the last export or backup, and find out who can write to the database: docs/audit.md.`;
    return [{ message }];
  },
};

/** Every check of `npm run doctor`, in the order in which it prints. The schema is checked before them. */
const checks: readonly Check[] = [
  integrityCheck,
  keysCheck,
  sharedChatsCheck,
  overridesCheck,
  credentialHostsCheck,
  destinationsCheck,
  webhooksCheck,
  orphansCheck,
  dataFolderCheck,
  spaceCheck,
  retentionCheck,
  auditCheck,
  nodeCheck,
];

type Finding = Notice & { check: string };

/**
 * The notices of all checks; only the schema's if it is not of this version. A failing check becomes a notice and does
 * not stop the others.
 */
export async function runChecks(deps: CheckDeps): Promise<Finding[]> {
  const ofSchema = await findingsOf(schemaCheck, deps);
  if (ofSchema.length > 0) return ofSchema;
  const findings: Finding[] = [];
  for (const check of checks) findings.push(...(await findingsOf(check, deps)));
  return findings;
}

async function findingsOf({ name, run }: Check, deps: CheckDeps): Promise<Finding[]> {
  try {
    return (await run(deps)).map((notice) => ({ check: name, ...notice }));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return [{ check: name, message: `The check ${name} could not be made: ${reason}` }];
  }
}
