import { z } from "zod";
import { apiKeyField, defineProvider } from "../define-provider.ts";

const voicesSchema = z.object({ voices: z.array(z.object({ voice_id: z.string().min(1), name: z.string() })) });

export const elevenLabs = defineProvider({
  name: "elevenlabs",
  title: "ElevenLabs",
  account: { name: "elevenlabs", keyVariables: ["ELEVENLABS_API_KEY"], hosts: ["api.elevenlabs.io"] },
  needs: ["apiKey"],
  credentialFields: [apiKeyField({ required: true })],
  existingCredentials: [{ name: "elevenLabsApi", title: "ElevenLabs API", keyField: "elevenLabsApiKey" }],
  voice: {
    name: "elevenlabs",
    model: "eleven_multilingual_v2",
    // "Rachel", present in every account.
    voice: "21m00Tcm4TlvDq8ikWAM",
    longestText: 5_000,
    baseUrl: "https://api.elevenlabs.io/v1",
    /** (https://elevenlabs.io/docs/api-reference/voices/get-all) */
    voices: {
      toRequest: ({ baseUrl, apiKey }) => ({ url: `${baseUrl}/voices`, headers: { "xi-api-key": apiKey ?? "" } }),
      read: (answer) =>
        voicesSchema.safeParse(answer).data?.voices.map(({ voice_id, name }) => ({ id: voice_id, name })),
    },
    /** (https://elevenlabs.io/docs/api-reference/text-to-speech/stream) */
    toRequest: ({ baseUrl, apiKey, model, voice, text }) => ({
      url: `${baseUrl}/text-to-speech/${encodeURIComponent(voice)}/stream?output_format=mp3_44100_128`,
      headers: { "xi-api-key": apiKey ?? "" },
      body: { text, model_id: model },
    }),
  },
});
