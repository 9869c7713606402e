import { defineRoute, type Route } from "@weft/http";
import { type Reach, reachOf } from "@weft/http/identity";
import { type System, systemSchema } from "@weft/schema";

/** `look` resolves with the current state. Agents beyond the reach are left out. */
export function systemRoutes(look: (reach: Reach) => Promise<System>): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/system",
      operationId: "getSystem",
      summary: "Get the state of the whole installation",
      description:
        "The processes on the database, the queue, take-overs, the database, Redis, the disk, vectors in memory, and callbacks that fail. A failing callback is sent again by `POST /chatflows/{agentflowId}/deliveries/{id}/resend`. An API key that is limited to agents sees no others.",
      tag: "Health",
      permission: "server:read",
      agent: "reach",
      returns: { schema: systemSchema },
      errors: [],
      handle: ({ identity }) => look(reachOf(identity)),
    }),
  ];
}
