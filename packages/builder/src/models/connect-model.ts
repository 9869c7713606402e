import type { ModelProvider } from "@weft/client";
import { client } from "../api/client.ts";

export type Connection = {
  provider: Pick<ModelProvider, "name" | "title">;
  /** Empty: the provider's own default. */
  model: string;
  /** Of the provider's credential fields; empty ones are left out. */
  values: Readonly<Record<string, string>>;
};

/**
 * Stores the credential, asks the model for a word, and makes it the default. Rejects with the reason, and leaves
 * nothing behind, when the model does not answer.
 */
export async function connectModel({ provider, model, values }: Connection): Promise<void> {
  const plainDataObj = Object.fromEntries(
    Object.entries(values)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ""),
  );
  const isEmpty = Object.keys(plainDataObj).length === 0;
  const credential = isEmpty
    ? ""
    : (await client.createCredential({ name: provider.title, credentialName: provider.name, plainDataObj })).id;
  const choice = { provider: provider.name, model: model.trim(), credential };
  try {
    const trial = await client.testModel(choice);
    if (!trial.ok) throw new Error(trial.message);
    await client.chooseDefaultModel(choice);
  } catch (cause) {
    if (credential !== "") await client.deleteCredential({ id: credential }).catch(() => undefined);
    throw cause;
  }
}
