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
  service: createTextToSpeechService,
  routes: textToSpeechRoutes,
});
