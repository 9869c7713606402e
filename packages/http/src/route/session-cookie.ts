import { toJsonObject } from "@weft/schema";
import { z } from "zod";

/** Sent as `cookie` by the server's own pages, whose session is in a cookie. */
const sessionHeader = "x-weft-session";

/**
 * What a request proves its sender with: its Authorization header, or the token of its session cookie. The cookie counts
 * only beside `X-Weft-Session: cookie`. Browsers send that header for no page of another site: it would need a
 * preflight, and no answer to one permits it (OWASP, "Cross-Site Request Forgery Prevention": custom request headers).
 */
export function readAuthorization(headers: Headers): string | null {
  const given = headers.get("authorization");
  if (given !== null || !hasCookieSession(headers)) return given;
  const token = findCookie(headers, "session");
  return token === undefined ? null : `Bearer ${token}`;
}

/**
 * The token of a sign-in that this browser has begun, for requests whose session is in a cookie, or else the one given:
 * no answer that another browser asked for counts in this one.
 */
export function readSignInToken(headers: Headers, given: string): string {
  return hasCookieSession(headers) ? (findCookie(headers, "sign_in") ?? "") : given;
}

/**
 * What a route does to the session of its caller: answers with a new token, revokes it, or answers with the token of a
 * sign-in elsewhere that has begun.
 */
export type SessionChange = "starts" | "ends" | "begins-sign-in";

/** `headers`: of the answer. */
type Exchanged = { readonly request: Request; readonly headers: Record<string, string> };

const issued = z.looseObject({ token: z.string(), expiresAt: z.string() });

/**
 * The answer of a route that changes the session. If the session is in a cookie, the token is put there, where no script
 * reads it, and is empty in the answer.
 */
export function keepSession(change: SessionChange | undefined, answer: unknown, exchange: Exchanged): unknown {
  const { headers } = exchange.request;
  if (change === undefined || !hasCookieSession(headers)) return answer;
  if (change === "ends") {
    exchange.headers["Set-Cookie"] = toCookie(headers, "session", { value: "", expires: new Date(0) });
    return answer;
  }
  const { token: value, expiresAt } = issued.parse(answer);
  const kind = change === "starts" ? "session" : "sign_in";
  exchange.headers["Set-Cookie"] = toCookie(headers, kind, { value, expires: new Date(expiresAt) });
  return { ...toJsonObject(answer), token: "" };
}

function hasCookieSession(headers: Headers): boolean {
  return headers.get(sessionHeader) === "cookie";
}

type Kind = "session" | "sign_in";

/** Sources: RFC 6265, section 4.1; RFC 6265bis, sections 4.1.2.7 (SameSite) and 4.1.3 (prefixes). */
function toCookie(headers: Headers, kind: Kind, { value, expires }: { value: string; expires: Date }): string {
  // Browsers send the Origin header with every POST and PUT, also to their own site: it tells what they see.
  const isSecure = headers.get("origin")?.startsWith("https:") === true;
  const name = isSecure ? secureName(headers, kind) : plainName(headers, kind);
  const attributes = `Path=/; Expires=${expires.toUTCString()}; HttpOnly; SameSite=Strict`;
  return `${name}=${value}; ${attributes}${isSecure ? "; Secure" : ""}`;
}

/** The token of the cookie that only this host can set over HTTPS, or else of the other one. */
function findCookie(headers: Headers, kind: Kind): string | undefined {
  const cookies = (headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  for (const name of [secureName(headers, kind), plainName(headers, kind)]) {
    const cookie = cookies.find((pair) => pair.startsWith(`${name}=`));
    if (cookie !== undefined) return cookie.slice(name.length + 1);
  }
  return undefined;
}

/** Browsers send a cookie to every port of a host, so that the name has to tell servers apart. */
function plainName(headers: Headers, kind: Kind): string {
  const port = /:(\d{1,5})$/.exec(headers.get("host") ?? "")?.[1];
  return port === undefined ? `weft_${kind}` : `weft_${kind}_${port}`;
}

function secureName(headers: Headers, kind: Kind): string {
  return `__Host-${plainName(headers, kind)}`;
}
