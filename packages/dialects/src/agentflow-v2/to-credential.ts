import type { Settings } from "./settings.ts";

/** Id of the credential that a component's settings name. Exports leave it out. */
export function toCredential(config: Settings): string | undefined {
  return [config.text("FLOWISE_CREDENTIAL_ID"), config.text("credential")].find((id) => id !== "");
}
