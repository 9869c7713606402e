import { createSpeaker } from "@weft/providers";
import { defineFeature } from "../feature.ts";
import { textToSpeechRoutes } from "./text-to-speech.routes.ts";
import { createTextToSpeechService, type TextToSpeechService } from "./text-to-speech.service.ts";

declare module "../feature.ts" {
  interface Services {
    textToSpeech: TextToSpeechService;
  }
}

export const textToSpeech = defineFeature({
  name: "textToSpeech",
  needs: ["chats", "credentials", "runHost", "runnables"],
  service({ logger, modelDefaults: defaults, modelHttp }, { chats, credentials, runHost, runnables }) {
    const speaker = createSpeaker({ defaults, readCredential: credentials.lend, fetch: modelHttp.fetch });
    return createTextToSpeechService({ ...runnables, ...runHost, messages: chats.messages, speaker, logger });
  },
  routes: textToSpeechRoutes,
});
