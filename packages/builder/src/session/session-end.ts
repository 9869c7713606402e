import { client } from "../api/client.ts";
import { clearSession, isRenewalDue, setSession } from "../api/session.ts";

/** Revokes the token and forgets it, even if the server cannot be reached. Never rejects. */
export async function signOut(): Promise<void> {
  await client.logOut().catch(() => undefined);
  clearSession();
}

/** Exchanges the token for a new one once half of its life is over, in one tab at a time. Never rejects. */
export async function renewSession(): Promise<void> {
  if (!isRenewalDue()) return;
  await navigator.locks?.request("weft.renew-session", async () => {
    if (!isRenewalDue()) return;
    // A token that was revoked signs out by itself; whatever else fails is tried again at the next look.
    await client.refreshToken().then(setSession, () => undefined);
  });
}
