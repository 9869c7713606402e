import { keepUntilChange } from "@weft/database";
import { parseJson, type PublicAccess as State, WeftError } from "@weft/schema";
import type { Context } from "../context.ts";

/** Whether visitors may use public agents: as the environment says, else as an account has chosen, else not. */
export type PublicAccess = {
  isAllowed(): Promise<boolean>;
  get(): Promise<State>;
  /** Holds for the next request in every process. Rejects with `conflict` where the environment decides. */
  choose(isAllowed: boolean): Promise<State>;
};

const name = "public-access";

export function createPublicAccess({ config: { allowPublicFlows }, database }: Context): PublicAccess {
  const kept = keepUntilChange<boolean>(database, ["settings"], 1);
  const findChosen = () =>
    kept(name, async () => {
      const row = await database.read
        .selectFrom("settings")
        .select("value")
        .where("name", "=", name)
        .executeTakeFirst();
      return row !== undefined && parseJson(row.value) === true;
    });
  const isAllowed = async () => allowPublicFlows ?? (await findChosen());
  return {
    isAllowed,
    get: async () => ({ isAllowed: await isAllowed(), isFixed: allowPublicFlows !== undefined }),
    async choose(chosen) {
      if (allowPublicFlows !== undefined) {
        const reason = `ALLOW_PUBLIC_FLOWS=${allowPublicFlows} decides on this server. Unset it to choose here.`;
        throw new WeftError("conflict", { params: { reason } });
      }
      const value = JSON.stringify(chosen);
      await database.write((tx) =>
        tx
          .insertInto("settings")
          .values({ name, value })
          .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
          .execute(),
      );
      return { isAllowed: chosen, isFixed: false };
    },
  };
}
