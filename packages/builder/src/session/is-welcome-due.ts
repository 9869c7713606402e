import { queryClient } from "../api/client.ts";
import { defaultModelQuery } from "../api/settings.ts";

const key = "weft.welcomed";

/** Whether the choice of a default model is still open, as far as this browser knows. Never rejects. */
export async function isWelcomeDue(): Promise<boolean> {
  if (localStorage.getItem(key) !== null) return false;
  try {
    const { provider, source } = await queryClient.fetchQuery(defaultModelQuery);
    return provider === "rehearsal" && source === "configuration";
  } catch {
    return false;
  }
}

/** The welcome page need not show itself again. */
export function markWelcomed(): void {
  localStorage.setItem(key, "true");
}
