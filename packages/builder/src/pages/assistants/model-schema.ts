import { assistantsStrings as strings } from "../../strings/assistants.ts";

/** The form of an assistant's model: the pickers that every model of a flow has. */
export const modelSchema = {
  type: "object",
  properties: {
    provider: { type: "string", title: "Provider", widget: "model-provider" },
    model: { type: "string", title: "Model", widget: "model", help: strings.modelHelp },
    credential: { type: "string", title: "Credential", widget: "credential" },
  },
} as const;
