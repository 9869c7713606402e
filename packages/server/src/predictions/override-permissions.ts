import type { Tables } from "@weft/database";
import { fromEventRow } from "@weft/run-host";
import { type JsonObject, parseJson, toJsonObject } from "@weft/schema";
import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { Context } from "../context.ts";
import type { CallerRights } from "./caller.ts";

const named = z.object({ name: z.string(), enabled: z.boolean() }).catch({ name: "", enabled: false });
const overrideSettings = z.object({
  status: z.literal(true),
  nodes: z.record(z.string(), z.array(named).catch([])).catch({}),
  variables: z.array(named).catch([]),
  history: z.boolean().catch(false),
});
const apiConfigSchema = z.object({ overrideConfig: overrideSettings });

/** What a caller may override for one run. `sessionId` is open to everybody. */
export type OverridePermissions = {
  /** Everything but credentials, addresses and chat ids; the owner's model parameters are not upper limits. */
  isAuthor: boolean;
  /** A setting of the nodes with this label. Model parameters are named `temperature`, `maxTokens` and `topP`. */
  allows(label: string, setting: string): boolean;
  /** Of any node. */
  allowsSomewhere(setting: string): boolean;
  allowsVariable(name: string): boolean;
  /** The caller's `history` may replace the stored memory. */
  allowsHistory: boolean;
};

/**
 * What the caller of an agent may override: its authors everything, everybody else what its `apiConfig` enables. API
 * keys may send their own history, visitors only if that is enabled. Source: contract "Prediction".
 */
export function overridePermissions(
  apiConfig: string,
  { mayEdit = false, isAnonymous = false }: CallerRights,
): OverridePermissions {
  if (mayEdit) {
    const always = () => true;
    return { isAuthor: true, allows: always, allowsSomewhere: always, allowsVariable: always, allowsHistory: true };
  }
  const enabled = readEnabled(apiConfig);
  return {
    isAuthor: false,
    allows: (label, setting) => enabled.nodes.get(label)?.has(setting) ?? false,
    allowsSomewhere: (setting) => [...enabled.nodes.values()].some((settings) => settings.has(setting)),
    allowsVariable: (name) => enabled.variables.has(name),
    allowsHistory: !isAnonymous || enabled.history,
  };
}

function readEnabled(apiConfig: string) {
  const parsed = apiConfigSchema.safeParse(parseJson(apiConfig));
  const { nodes, variables, history } = parsed.data?.overrideConfig ?? { nodes: {}, variables: [], history: false };
  const namesOf = (list: readonly z.infer<typeof named>[]) =>
    new Set(list.flatMap(({ name, enabled }) => (enabled ? [name] : [])));
  return {
    nodes: new Map(Object.entries(nodes).map(([label, settings]) => [label, namesOf(settings)])),
    variables: namesOf(variables),
    history,
  };
}

const recentMs = 30 * 86_400_000;
/** Most runs examined, newest first. */
const mostRuns = 2_000;

/** An agent whose clients recently sent overrides that its settings do not enable: they no longer have an effect. */
export type ClosedOverrides = { agentId: string; agentName: string; names: string[] };

/** Examines the requests of the last 30 days, which did not have to be enabled before decision 46. */
export async function findClosedOverrides(read: Kysely<Tables>, nowMs: number): Promise<ClosedOverrides[]> {
  const used = await overridesByAgent(read, new Date(nowMs - recentMs).toISOString());
  if (used.size === 0) return [];
  const agents = await read
    .selectFrom("agents")
    .select(["id", "name", "apiConfig", "isPublic"])
    .where("id", "in", [...used.keys()])
    .orderBy("name")
    .orderBy("id")
    .execute();
  return agents.flatMap(({ id, name, apiConfig, isPublic }) => {
    const { allowsVariable, allowsSomewhere, allowsHistory } = overridePermissions(apiConfig, { isAnonymous: true });
    const names = [...(used.get(id) ?? [])].filter((override) => {
      if (override.startsWith("vars.")) return !allowsVariable(override.slice("vars.".length));
      return override === "history" ? isPublic === 1 && !allowsHistory : !allowsSomewhere(override);
    });
    return names.length === 0 ? [] : [{ agentId: id, agentName: name, names }];
  });
}

async function overridesByAgent(read: Kysely<Tables>, since: string): Promise<Map<string, Set<string>>> {
  const rows = await read
    .selectFrom("runs")
    // Looked up for each: joined, SQLite starts with all events, since runs have only an index by their last date.
    .select(({ selectFrom }) => [
      "id",
      "agentId",
      "chatType",
      selectFrom("runEvents").select("event").whereRef("runId", "=", "runs.id").where("seq", "=", 1).as("event"),
    ])
    .where("status", "!=", sql.lit("running"))
    .where("updatedDate", ">=", since)
    .orderBy("updatedDate", "desc")
    .orderBy("id")
    .limit(mostRuns)
    .execute();
  const used = new Map<string, Set<string>>();
  for (const { id: runId, agentId, chatType, event } of rows) {
    if (event === null || chatType !== "EXTERNAL") continue;
    const names = namesIn(fromEventRow({ runId, seq: 1, at: 0, type: "run-started", event }) as JsonObject);
    if (names.length > 0) used.set(agentId, new Set([...(used.get(agentId) ?? []), ...names]));
  }
  return used;
}

function namesIn({ input }: JsonObject): string[] {
  const { vars, modelParameters, history } = toJsonObject(input);
  const variables = Object.keys(toJsonObject(vars)).map((name) => `vars.${name.slice(0, 80)}`);
  return [...variables, ...Object.keys(toJsonObject(modelParameters)), ...(history === undefined ? [] : ["history"])];
}

/** Logs at each start the agents whose clients rely on overrides that an upgrade closed. */
export async function warnOfClosedOverrides({ database, clock, logger }: Context): Promise<void> {
  for (const { agentId, agentName, names } of await findClosedOverrides(database.read, clock.now())) {
    const list = names.slice(0, 10).join(", ");
    const reason = `Requests to the agent "${agentName.slice(0, 100)}" overrode ${list} within the last 30 days. API keys and visitors no longer may: enable under "Overrides" in the agent's settings what they need.`;
    logger.warn("overrides-closed", { agentId, reason });
  }
}
