import type { NamingSettings } from "@weft/agents";
import type { Reference } from "@weft/engine";
import { parseFollowUps, parseSpeechToText, parseTextToSpeech } from "@weft/providers";
import { credentialOfModel } from "@weft/schema";
import { readTracingServices } from "@weft/telemetry";

/** A model, or a speech service, with its credential. */
export type NamedModel = {
  credential?: string | undefined;
  provider?: string | undefined;
  baseUrl?: string | undefined;
};

/**
 * Settings of existing clients name each service by a key of its own, so their readers list the references: speech, the
 * model of follow-ups, and trace destinations. The address of the latter is in the credential itself.
 */
export function referencesOfSettings({
  speechToText = "{}",
  chatbotConfig = "{}",
  analytic = "{}",
}: NamingSettings): Reference[] {
  const heard = parseSpeechToText(speechToText);
  const spoken = parseTextToSpeech(chatbotConfig);
  const { chosen: tracing } = readTracingServices(analytic);
  return [
    ...referencesOfModel({ ...heard, credential: heard?.credentialId }, ["speechToText"]),
    ...referencesOfModel({ provider: spoken?.provider.name, credential: spoken?.credentialId }, ["textToSpeech"]),
    ...referencesOfModel(parseFollowUps(chatbotConfig)?.model ?? {}, ["followUpPrompts"]),
    ...tracing
      .filter(({ credentialId }) => credentialId !== "")
      .map(({ name, credentialId }) => {
        const path = ["analytic", name, "credential"];
        return { kind: "credential", id: credentialId, path, beside: {}, component: name } as const;
      }),
  ];
}

export function referencesOfModel(
  { credential = "", provider = "", baseUrl = "" }: NamedModel,
  below: readonly string[] = [],
): Reference[] {
  if (credential === "") return [];
  const beside = { credential, provider, baseUrl };
  const { goesTo } = credentialOfModel;
  return [{ kind: "credential", id: credential, path: [...below, "credential"], goesTo, beside, component: "" }];
}
