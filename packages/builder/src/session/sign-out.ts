import { client } from "../api/client.ts";
import { clearSession } from "../api/session.ts";

/** Revokes the token and forgets it; forgets it even when the server cannot be told. Never rejects. */
export async function signOut(): Promise<void> {
  await client.logOut().catch(() => undefined);
  clearSession();
}
