import type { Tables } from "@weft/database";
import { defineRoute, type Route } from "@weft/http";
import { type Identity, isGranted, type Reach, reachesAgent, reachOf } from "@weft/http/identity";
import { type UsableKind, type Use, usableKindSchema, useSchema } from "@weft/schema";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { StoredReferences } from "./stored-references.ts";

/** Lists where things are used. */
export function usesRoutes(references: StoredReferences, read: Kysely<Tables>): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/uses",
      operationId: "listUses",
      summary: "List where a credential, agent, document store, tool or variable is used",
      description:
        "Steps of agents and of their drafts, assistants, document stores and the default model. An API key sees the agents that it reaches, and stores with document-stores:read.",
      tag: "References",
      permission: "agents:read",
      agent: "reach",
      query: z.object({
        kind: usableKindSchema,
        id: z.string().min(1).max(200).meta({ description: "Its id; of a variable, its name" }),
      }),
      returns: { schema: z.array(useSchema) },
      errors: [400],
      handle: ({ query, identity }) => listUses(references.all(read), query, identity),
    }),
  ];
}

/** A place that names a thing several times is listed for each; a draft that only repeats its agent is left out. */
async function listUses(
  places: ReturnType<StoredReferences["all"]>,
  { kind, id }: { kind: UsableKind; id: string },
  identity: Identity,
): Promise<Use[]> {
  const reach = reachOf(identity);
  const uses = new Map<string, Use>();
  for await (const { references: named, apiConfig: _, ...place } of places) {
    if (!isShown(place, identity, reach)) continue;
    for (const { kind: of, id: what, nodeId, step, path } of named) {
      if (of !== kind || what !== id) continue;
      const key = JSON.stringify([place.resource, place.id, nodeId, path]);
      if (!uses.has(key)) uses.set(key, { ...place, nodeId, step, path: path.join(".") });
    }
  }
  return [...uses.values()];
}

function isShown({ resource, id }: Pick<Use, "resource" | "id">, { grants }: Identity, reach: Reach): boolean {
  if (resource === "document-store") return isGranted(grants, "document-stores:read");
  return resource === "default-model" || reachesAgent(reach.agents, id);
}
