import {
  defineRoute,
  type Identity,
  isAccount,
  ownerOf,
  predictionLimits,
  type Route,
  reachOf,
  toNetwork,
} from "@weft/http";
import type { RunService } from "@weft/run-host";
import { type PredictionRequest, predictionRequestSchema, predictionResultSchema, uuidSchema } from "@weft/schema";
import { z } from "zod";
import type { CarriedKey } from "./admit.ts";
import type { AttachService } from "./attach.service.ts";
import { createCaller } from "./caller.ts";
import { executionEventsRoute } from "./execution-events.route.ts";
import type { PredictionService } from "./prediction.service.ts";
import { predictionFormSchema } from "./prediction-form.ts";

export type PredictionRouteDeps = {
  predictions: PredictionService;
  attach: AttachService;
  runs: Pick<RunService, "cancelChat">;
  /** The API key of that value; undefined when there is none. */
  findApiKey(key: string): Promise<CarriedKey | undefined>;
};

const abortedSchema = z.object({
  status: z.number().meta({ examples: [200] }),
  message: z.string().meta({ examples: ["Chat message aborted"] }),
});

const prediction = {
  method: "POST",
  tag: "prediction",
  params: z.object({ id: uuidSchema }),
  body: predictionRequestSchema,
  jsonLimits: { ...predictionLimits, longAt: ["uploads.*.data"] },
  multipart: { form: predictionFormSchema, maxFieldCharacters: predictionLimits.characters },
  bodyErrorStatus: 422,
  returns: { schema: predictionResultSchema, otherContentTypes: ["text/event-stream"] },
  errors: [400, 404, 422, 500],
  recallsRunning: true,
} as const;

export function predictionRoutes(deps: PredictionRouteDeps): Route[] {
  const { predictions, runs, findApiKey } = deps;
  type Arriving = { identity: Identity | undefined; params: { id: string }; body: PredictionRequest };
  const arrive = ({ identity, params, body }: Arriving) =>
    predictions.arrive({ agentId: params.id, request: body, caller: { owner: ownerOf(identity) } });
  const recall = (runId: string, { body, clientAddress }: { body: PredictionRequest; clientAddress: string }) =>
    predictions.recall(runId, { request: body, caller: { owner: `network:${toNetwork(clientAddress)}` } });

  return [
    defineRoute({
      ...prediction,
      path: "/api/v1/prediction/{id}",
      operationId: "createPrediction",
      summary: "Send a message to an agent",
      description: "Returns JSON or, with `streaming: true`, server-sent events.",
      permission: { permission: "predictions:run", agentOf: ({ params }) => params.id, counts: "prediction" },
      recall,
      arrive,
      handle: ({ params, body, newId, place, identity, headers, clientAddress, signal }) => {
        const caller = createCaller({ identity, headers, clientAddress, findApiKey });
        const ask = { agentId: params.id, request: body, caller, newId, place, signal };
        return predictions.ask({ ...ask, chatType: "EXTERNAL" });
      },
    }),
    defineRoute({
      ...prediction,
      path: "/api/v1/internal-prediction/{id}",
      operationId: "createInternalPrediction",
      summary: "Test an agent",
      description:
        "Same as `createPrediction`, but messages are marked INTERNAL and a logged-in account does not need the agent's key.",
      permission: "predictions:run",
      recall,
      arrive,
      handle: ({ params, body, newId, place, identity, headers }) => {
        const isAuthor = isAccount(identity);
        const caller = { ...createCaller({ identity, headers, clientAddress: "", findApiKey }), isAuthor };
        return predictions.ask({ agentId: params.id, request: body, caller, chatType: "INTERNAL", newId, place });
      },
    }),
    defineRoute({
      method: "PUT",
      path: "/api/v1/chatmessage/abort/{agentId}/{chatId}",
      operationId: "abortChatMessage",
      summary: "Stop the runs of a chat",
      tag: "prediction",
      permission: { permission: "predictions:run", agentOf: ({ params: { agentId } }) => agentId, counts: "write" },
      params: z.object({ agentId: z.string(), chatId: z.string() }),
      returns: { schema: abortedSchema },
      errors: [400, 500],
      async handle({ params, identity }) {
        await runs.cancelChat(params.agentId, params.chatId, reachOf(identity));
        return { status: 200, message: "Chat message aborted" };
      },
    }),
    executionEventsRoute(deps),
  ];
}
