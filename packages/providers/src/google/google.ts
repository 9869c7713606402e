import { baseUrlField, defineChatProvider } from "../chat-provider.ts";

export const googleProvider = defineChatProvider({
  name: "google",
  title: "Google Gemini",
  summary: "Google's Gemini models, through the Gemini API.",
  credentialFields: [
    { name: "apiKey", aliases: ["googleGenerativeAPIKey"], title: "API key", secret: true, required: true },
    baseUrlField("Only for a proxy in front of the Gemini API, as in https://proxy.example/v1beta."),
  ],
  needs: ["apiKey"],
  account: { name: "google", keyVariable: "GOOGLE_API_KEY" },
  hosts: ["*.googleapis.com"],
  acceptsImages: true,
  models: ["gemini-flash-latest", "gemini-flash-lite-latest", "gemini-pro-latest", "gemini-3.5-flash"],
  create: async (options) => (await import("./google-model.ts")).createGoogleModel(options),
});
