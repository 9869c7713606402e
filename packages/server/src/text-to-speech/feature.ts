import { defineRoute, type Route, rawId, toNetwork } from "@weft/http";
import { reachesAgent, reachOf } from "@weft/http/identity";
import { uuidSchema, voiceServiceNames, WeftError } from "@weft/schema";
import { z } from "zod";
import { defineFeature } from "../feature.ts";
import {
  createTextToSpeechService,
  mostCharacters,
  type Spoken,
  type TextToSpeechService,
} from "./text-to-speech.service.ts";

declare module "../feature.ts" {
  interface Services {
    textToSpeech: TextToSpeechService;
  }
}

export const textToSpeech = defineFeature({
  name: "textToSpeech",
  needs: ["chats", "credentials", "runHost", "runnables"],
  service: createTextToSpeechService,
  routes: textToSpeechRoutes,
});

const spokenFields = {
  chatflowId: uuidSchema.meta({ description: "Id of the agent" }),
  chatId: z.string().min(1).max(200),
  chatMessageId: z.string().min(1).max(200),
};
const readSchema = z
  .object({ ...spokenFields, text: z.string().trim().min(1).max(mostCharacters) })
  .meta({ id: "TextToSpeechRequest" });
const stopSchema = z.object(spokenFields).meta({ id: "TextToSpeechStop" });
const stoppedSchema = z
  .object({ message: z.string(), chatId: z.string(), chatMessageId: z.string() })
  .meta({ id: "TextToSpeechStopped" });
const voiceSchema = z
  .object({ id: z.string().meta({ description: "Value for `voice` in the agent's settings" }), name: z.string() })
  .meta({ id: "Voice" });

const shared = { method: "POST", tag: "Chat clients", agent: "reach", bodyErrorStatus: 422 } as const;

/** Routes for chat clients to have an answer read aloud, and for authors to choose a voice. */
function textToSpeechRoutes(service: TextToSpeechService): Route[] {
  return [
    defineRoute({
      ...shared,
      path: "/api/v1/text-to-speech/generate",
      operationId: "readAloud",
      summary: "Read an answer aloud",
      description:
        "Streams `tts_start`, `tts_data` with the pieces of an MP3 file in base64, and `tts_end`, as server-sent events; `tts_error` if the service fails in the middle. The agent's settings choose service and voice. Without credentials the stored answer is read, whatever `text` says, within the agent's budget and once, or again if the service broke off.",
      permission: {
        permission: "predictions:run",
        agentOf: async ({ body }) => rawId(await body(), "chatflowId"),
        counts: "prediction",
      },
      body: readSchema,
      bodyLimitBytes: 128 * 1_024,
      returns: { schema: z.string(), contentType: "text/event-stream" },
      errors: [400, 404, 422, 500],
      handle({ body: { text, ...body }, identity, clientAddress, signal }) {
        const visitor = identity === undefined ? { network: toNetwork(clientAddress) } : undefined;
        return service.read(toSpoken(body, reachOf(identity)), { text, visitor }, signal);
      },
    }),
    defineRoute({
      ...shared,
      path: "/api/v1/text-to-speech/abort",
      operationId: "stopReadingAloud",
      summary: "Stop reading an answer aloud",
      description: "Closing the stream does the same.",
      permission: {
        permission: "predictions:run",
        agentOf: async ({ body }) => rawId(await body(), "chatflowId"),
        counts: "write",
      },
      body: stopSchema,
      bodyLimitBytes: 16 * 1_024,
      returns: { schema: stoppedSchema },
      errors: [422, 500],
      async handle({ body, identity }) {
        service.stop(toSpoken(body, reachOf(identity)));
        const { chatId, chatMessageId } = body;
        return { message: "TTS stream aborted successfully", chatId, chatMessageId };
      },
    }),
    voicesRoute(service),
  ];
}

function voicesRoute(service: TextToSpeechService): Route {
  return defineRoute({
    method: "GET",
    path: "/api/v1/text-to-speech/voices",
    operationId: "listVoices",
    summary: "List the voices that a service reads aloud in",
    description:
      "ElevenLabs is asked for the voices of the credential's account; OpenAI's voices are the same for all.",
    tag: "Models",
    permission: "agents:write",
    query: z.object({
      provider: z.enum(voiceServiceNames).meta({ description: "As `textToSpeech` of an agent names the service" }),
      credentialId: z.string().max(200).optional().meta({ description: "If absent or empty, the server's own key" }),
    }),
    returns: { schema: z.array(voiceSchema) },
    errors: [400, 404, 500],
    handle: async ({ query: { provider, credentialId }, signal }) => [
      ...(await service.findVoices(provider, credentialId || undefined, signal)),
    ],
  });
}

function toSpoken(body: z.infer<typeof stopSchema>, reach: ReturnType<typeof reachOf>): Spoken {
  const { chatflowId: agentId, chatId, chatMessageId } = body;
  if (!reachesAgent(reach.agents, agentId))
    throw new WeftError("not-found", { params: { resource: "agent", id: agentId } });
  return { agentId, chatId, chatMessageId };
}
