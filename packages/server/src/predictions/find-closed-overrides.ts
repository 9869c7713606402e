import type { Tables } from "@weft/database";
import type { Json, JsonObject } from "@weft/schema";
import type { Kysely } from "kysely";
import { overridePermissions } from "./override-permissions.ts";

const recentMs = 30 * 86_400_000;
/** Runs that are looked at, the newest. */
const mostRuns = 2_000;

/** An agent whose clients lately overrode what its settings do not enable: such requests change nothing now. */
export type ClosedOverrides = { agentId: string; agentName: string; names: string[] };

/** Looks at the requests of the last 30 days, which did not have to be enabled before decision 46. */
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
    .innerJoin("runEvents", "runEvents.runId", "runs.id")
    .select(["runs.agentId", "runEvents.event"])
    .where("runs.chatType", "=", "EXTERNAL")
    .where("runs.createdDate", ">=", since)
    .where("runEvents.seq", "=", 1)
    .orderBy("runs.createdDate", "desc")
    .orderBy("runs.id", "desc")
    .limit(mostRuns)
    .execute();
  const used = new Map<string, Set<string>>();
  for (const { agentId, event } of rows) {
    const names = namesIn(JSON.parse(event) as JsonObject);
    if (names.length > 0) used.set(agentId, new Set([...(used.get(agentId) ?? []), ...names]));
  }
  return used;
}

function namesIn({ input }: JsonObject): string[] {
  const { vars, modelParameters, history } = objectOf(input);
  const variables = Object.keys(objectOf(vars)).map((name) => `vars.${name.slice(0, 80)}`);
  return [...variables, ...Object.keys(objectOf(modelParameters)), ...(history === undefined ? [] : ["history"])];
}

function objectOf(value: Json | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
