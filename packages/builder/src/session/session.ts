/** What the browser keeps of a session between visits. `email`: of who signed in, to do so again. */
type StoredSession = { token: string; expiresAtMs: number; renewAtMs: number; email?: string | undefined };

const key = "weft.session";
const changeListeners = new Set<() => void>();
const endListeners = new Set<() => void>();

/** Whether this page was answered as the signed-in user, so that it may hold what someone entered. */
let isInUse = false;
let hasEnded = false;

/** The current token; undefined if nobody is signed in or the token has expired. */
export function getToken(): string | undefined {
  const session = read();
  return session !== undefined && session.expiresAtMs > Date.now() ? session.token : undefined;
}

/** Who signed in, if the session was not begun with a token from elsewhere. */
export function sessionEmail(): string | undefined {
  return read()?.email;
}

/** Whether someone signed in and has not signed out since, even if the token has expired. */
export function hasSession(): boolean {
  return read() !== undefined;
}

/** A token that the server issued. `expiresAt`: ISO 8601. */
export type IssuedToken = { token: string; expiresAt: string };

/** Stores a token, replacing any present one. `email`: default the one of the present session. */
export function setSession({ token, expiresAt }: IssuedToken, email = sessionEmail()): void {
  const wasSignedIn = hasSession();
  const expiresAtMs = Date.parse(expiresAt);
  const stored: StoredSession = { token, expiresAtMs, renewAtMs: (Date.now() + expiresAtMs) / 2, email };
  localStorage.setItem(key, JSON.stringify(stored));
  goOn();
  if (!wasSignedIn) announce(changeListeners);
}

/** Deletes the token, in every tab. */
export function clearSession(): void {
  if (!hasSession()) return;
  localStorage.removeItem(key);
  isInUse = false;
  goOn();
  announce(changeListeners);
}

/** Whether half of the token's life is over. */
export function isRenewalDue(): boolean {
  const session = read();
  return session !== undefined && getToken() !== undefined && session.renewAtMs <= Date.now();
}

/**
 * Calls `listener` on sign-in and sign-out, including in other tabs; not for a renewed token. Returns a function that
 * unsubscribes.
 */
export function onSessionChange(listener: () => void): () => void {
  return listen(changeListeners, listener, (event) => {
    if ((event.oldValue === null) !== (event.newValue === null)) listener();
  });
}

/** From now on the page may hold what someone entered. */
export function markInUse(): void {
  isInUse = true;
}

/**
 * For a token that was rejected or has expired: ends the session, but keeps the page, until someone signs in again or out.
 * False where there is nothing to keep.
 */
export function endSession(): boolean {
  if (!isInUse || !hasSession()) return false;
  hasEnded = true;
  announce(endListeners);
  return true;
}

/** Whether the page waits for someone to sign in again. */
export function isSessionEnded(): boolean {
  return hasEnded;
}

/** Calls `listener` when the session has ended and when it goes on. Returns a function that unsubscribes. */
export function onSessionEnd(listener: () => void): () => void {
  return listen(endListeners, listener, () => {
    if (hasEnded && (getToken() !== undefined || !hasSession())) goOn();
  });
}

/** Resolves once someone has signed in again, or out. Rejects with the reason of the signal. */
export function sessionGoesOn(signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    if (!hasEnded) return resolve();
    if (signal?.aborted) return reject(signal.reason);
    const stop = onSessionEnd(() => {
      if (hasEnded) return;
      stop();
      resolve();
    });
    signal?.addEventListener("abort", () => {
      stop();
      reject(signal.reason);
    });
  });
}

function goOn(): void {
  if (!hasEnded) return;
  hasEnded = false;
  announce(endListeners);
}

function listen(listeners: Set<() => void>, listener: () => void, onStored: (event: StorageEvent) => void) {
  const onStorage = (event: StorageEvent) => {
    if (event.key === key) onStored(event);
  };
  listeners.add(listener);
  window.addEventListener("storage", onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", onStorage);
  };
}

function announce(listeners: ReadonlySet<() => void>): void {
  for (const listener of [...listeners]) listener();
}

function read(): StoredSession | undefined {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "") as StoredSession;
  } catch {
    return undefined;
  }
}
