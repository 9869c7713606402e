/**
 * What pages know of a session between visits: its token is in a cookie that they cannot read. `email`: of who signed in,
 * to do so again.
 */
type StoredSession = { expiresAtMs: number; renewAtMs: number; email?: string | undefined };

/** Without it the server ignores the cookie. */
export const sessionHeaders = { "x-weft-session": "cookie" } as const;

const key = "weft.session";
const changeListeners = new Set<() => void>();
const endListeners = new Set<() => void>();

/** Whether this page was answered as the signed-in user, so that it may hold what someone entered. */
let isInUse = false;
let hasEnded = false;

/** When the current token expires; undefined if nobody is signed in or it has expired. Each token has a moment of its own. */
export function sessionExpiry(): number | undefined {
  const session = read();
  return session !== undefined && session.expiresAtMs > Date.now() ? session.expiresAtMs : undefined;
}

/** Who signed in. */
export function sessionEmail(): string | undefined {
  return read()?.email;
}

/** Whether someone signed in and has not signed out since, even if the token has expired. */
export function hasSession(): boolean {
  return read() !== undefined;
}

/** Notes that the server issued a token until `expiresAt` (ISO 8601). `email`: default the one of the present session. */
export function setSession({ expiresAt }: { expiresAt: string }, email = sessionEmail()): void {
  const wasSignedIn = hasSession();
  const expiresAtMs = Date.parse(expiresAt);
  const stored: StoredSession = { expiresAtMs, renewAtMs: (Date.now() + expiresAtMs) / 2, email };
  localStorage.setItem(key, JSON.stringify(stored));
  goOn();
  if (!wasSignedIn) announce(changeListeners);
}

/** The session is over, in every tab. */
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
  return session !== undefined && sessionExpiry() !== undefined && session.renewAtMs <= Date.now();
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
    if (hasEnded && (sessionExpiry() !== undefined || !hasSession())) goOn();
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
