import { defineRoute, type Route, reachOf } from "@weft/http";
import { askerOf } from "@weft/run-host";
import { uuidSchema } from "@weft/schema";
import { z } from "zod";
import type { CarriedKey } from "./admit.ts";
import type { AttachService } from "./attach.service.ts";
import { createCaller } from "./caller.ts";

export type ExecutionEventsDeps = {
  attach: AttachService;
  findApiKey(key: string): Promise<CarriedKey | undefined>;
};

/**
 * The stream of a run for a client that lost it. Visitors of a public agent may read the runs of its predictions: the id
 * of a run has 74 random bits (`id-source.ts`) and is given to nobody but who sent the message.
 */
export function executionEventsRoute({ attach, findApiKey }: ExecutionEventsDeps): Route {
  return defineRoute({
    method: "GET",
    path: "/api/v1/executions/{executionId}/events",
    operationId: "streamExecution",
    summary: "Stream a run, from the start or from where the stream was cut off",
    description:
      "Returns the same events as the prediction's stream: with `Last-Event-ID`, the id of an event, everything after " +
      "that event, otherwise everything, and then new events until `end`. When a run waits for human input, its stream ends; the last " +
      "event leads to the stream that follows the answer.",
    tag: "executions",
    permission: {
      permission: "executions:read",
      agentOf: ({ params: { executionId = "" } }) => attach.visitedAgent(executionId),
      counts: "read",
    },
    params: z.object({ executionId: uuidSchema }),
    query: z.object({
      lastEventId: z.string().optional().meta({ description: "For clients that cannot set the header Last-Event-ID." }),
    }),
    returns: { schema: z.string(), contentType: "text/event-stream" },
    errors: [400, 404, 500],
    handle({ params, query, identity, headers, clientAddress }) {
      const lastEventId = headers.get("last-event-id") ?? query.lastEventId;
      const visitor = createCaller({ identity, headers, clientAddress, findApiKey });
      const caller = askerOf(identity, clientAddress);
      const reconnect = { runId: params.executionId, lastEventId, caller, reach: reachOf(identity) };
      return attach.stream({ ...reconnect, ...(identity ? {} : { visitor }) });
    },
  });
}
