/** Session data the browser keeps between visits: the token, its expiry, and when to renew it. */
type StoredSession = { token: string; expiresAtMs: number; renewAtMs: number };

const key = "weft.session";
const listeners = new Set<() => void>();

/** The current token; undefined if nobody is signed in or the token has expired. */
export function getToken(): string | undefined {
  return read()?.token;
}

/** Stores a token that the server issued, replacing any present one. `expiresAt`: ISO 8601. */
export function setSession({ token, expiresAt }: { token: string; expiresAt: string }): void {
  const wasSignedIn = localStorage.getItem(key) !== null;
  const expiresAtMs = Date.parse(expiresAt);
  const stored: StoredSession = { token, expiresAtMs, renewAtMs: (Date.now() + expiresAtMs) / 2 };
  localStorage.setItem(key, JSON.stringify(stored));
  if (!wasSignedIn) announce();
}

/** Deletes the token, in every tab. */
export function clearSession(): void {
  if (localStorage.getItem(key) === null) return;
  localStorage.removeItem(key);
  announce();
}

/** Whether half of the token's life is over. */
export function isRenewalDue(): boolean {
  const session = read();
  return session !== undefined && session.renewAtMs <= Date.now();
}

/**
 * Calls `listener` on sign-in and sign-out, including in other tabs; not for a renewed token. Returns a function that
 * unsubscribes.
 */
export function onSessionChange(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === key && (event.oldValue === null) !== (event.newValue === null)) listener();
  };
  listeners.add(listener);
  window.addEventListener("storage", onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", onStorage);
  };
}

function announce(): void {
  for (const listener of listeners) listener();
}

function read(): StoredSession | undefined {
  const text = localStorage.getItem(key);
  if (text === null) return undefined;
  try {
    const session = JSON.parse(text) as StoredSession;
    return session.expiresAtMs > Date.now() ? session : undefined;
  } catch {
    return undefined;
  }
}
