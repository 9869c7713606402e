import { randomUUID } from "node:crypto";
import type { Role } from "../../../packages/schema/src/index.ts";
import type { Caller } from "./caller.ts";
import type { House } from "./open-house.ts";

/** Someone whom the owner invited, and who has logged in. */
export type Member = { id: string; caller: Caller /** Removes the account, with its keys. */; remove(): Promise<void> };

export async function joinTeam(house: House, role: Role): Promise<Member> {
  const email = `${randomUUID()}@example.com`;
  const { token } = await house.owner<{ token: string }>("POST", "/invitations", { email, role });
  const use = { token, password: "a good long password" };
  const session = await house.owner<{ token: string; user: { id: string } }>("POST", "/invitations/accept", use);
  const { id } = session.user;
  return {
    id,
    caller: house.visitor({ authorization: `Bearer ${session.token}` }),
    remove: () => house.owner("DELETE", `/accounts/${id}?keys=remove`),
  };
}
