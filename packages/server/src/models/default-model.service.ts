import { findSetting, keepUntilChange, saveSetting, type Tables } from "@weft/database";
import type { ModelResolver } from "@weft/engine/ports/chat-model";
import { chatProviders, defaultProviderName } from "@weft/providers";
import { type DefaultModel, type ModelChoice, modelChoiceSchema, WeftError } from "@weft/schema";
import type { Kysely } from "kysely";
import type { Context } from "../context.ts";
import type { Needs } from "../feature.ts";

/** The model used by flows that name none: the chosen one, else that of the configuration. */
export type DefaultModelService = {
  get(): Promise<DefaultModel>;
  /** Name of the provider of `get`. */
  findProvider(): Promise<string>;
  /** Applies from the next model call on. Rejects with `parameters-invalid` for an unknown provider or credential. */
  choose(choice: ModelChoice): Promise<DefaultModel>;
  /** Back to the configuration. */
  reset(): Promise<DefaultModel>;
  /** Resolves an empty reference as the chosen model, in place of the configured one. */
  applyTo(models: ModelResolver): ModelResolver;
};

export function createDefaultModelService(
  { database, modelDefaults: defaults }: Context,
  { credentials }: Needs<"credentials">,
): DefaultModelService {
  const configured: DefaultModel = {
    provider: defaultProviderName(defaults),
    model: defaults.model ?? "",
    credential: "",
    source: "configuration",
  };

  const kept = keepUntilChange<ModelChoice | undefined>(database, ["settings"], 1);
  const findChosen = () => kept(name, () => findChosenModel(database.read));

  async function get(): Promise<DefaultModel> {
    const chosen = await findChosen();
    return chosen === undefined ? configured : { ...chosen, source: "chosen" };
  }

  return {
    get,
    findProvider: async () => (await get()).provider,

    async choose(choice) {
      const { provider, credential } = choice;
      if (!chatProviders.some(({ name }) => name === provider))
        throw invalid(`there is no provider named ${provider}. See GET /models.`);
      if (credential !== "" && !(await credentials.has(credential))) {
        throw invalid(`there is no credential with the id ${credential}. See GET /credentials.`);
      }
      await database.write((tx) => saveSetting(tx, name, JSON.stringify(choice)));
      return { ...choice, source: "chosen" };
    },

    async reset() {
      await database.write(deleteChosenModel);
      return configured;
    },

    applyTo: (models) => ({
      async resolve(reference) {
        const namesNothing = Object.values(reference).every((value) => value === undefined || value.trim() === "");
        return models.resolve((namesNothing ? await findChosen() : undefined) ?? reference);
      },
    }),
  };
}

function invalid(reason: string): WeftError {
  return new WeftError("parameters-invalid", { params: { reason } });
}

const name = "default-model";

/** The model that someone chose; undefined if nobody has. */
async function findChosenModel(db: Kysely<Tables>): Promise<ModelChoice | undefined> {
  const value = await findSetting(db, name);
  return value === undefined ? undefined : modelChoiceSchema.parse(JSON.parse(value));
}

async function deleteChosenModel(tx: Kysely<Tables>): Promise<void> {
  await tx.deleteFrom("settings").where("name", "=", name).execute();
}
