import type { ImportedSecret } from "@weft/dialects/importer";
import type { Step } from "./step.ts";

/** A secret that was taken out of a file, as a credential holds it. */
export type FoundSecret = Pick<ImportedSecret, "credentialName" | "data">;

const secretWords =
  /(^|[^a-z])(authori[sz]ation|auth|api[-_ ]?key|apikey|x-api-key|key|token|secret|password|passwd|pwd|sig|signature|cookie|code|credential|session|bearer|jwt|pat)([^a-z]|$)/i;

/** Whether a header, parameter or field of that name holds a secret. */
export function isSecretName(name: string): boolean {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, "$1-$2");
  return secretWords.test(words) || /apikey|accesskey|subscriptionkey|functionskey|authtoken|accesstoken/i.test(name);
}

/** Whether a value looks like a key, whatever its name is. */
export function isSecretValue(value: string): boolean {
  const text = value.trim();
  if (
    /^(bearer|basic|token|apikey)\s+\S{6,}/i.test(text) ||
    /^(sk|pk|ghp|gho|github_pat|xox[abp]|AKIA|eyJ)[-_A-Za-z0-9.]{12,}/.test(text)
  )
    return true;
  return /^[A-Za-z0-9+/_=.-]{24,}$/.test(text) && looksRandom(text);
}

/** Letters and digits in one long part: ids such as those of tenants have hyphens, names have words. */
function looksRandom(text: string): boolean {
  return text.split(/[-_./]/).some((part) => part.length >= 16 && /\d/.test(part) && /[A-Za-z]/.test(part));
}

/** What a header says, as a credential: a token, a name and password, or the header itself. */
export function toCredential(header: string, value: string): FoundSecret {
  const text = value.trim();
  const isAuthorization = header.toLowerCase() === "authorization";
  const bearer = /^bearer\s+(.+)$/is.exec(text)?.[1];
  if (isAuthorization && bearer !== undefined) return { credentialName: "httpBearerToken", data: { token: bearer } };
  const basic = isAuthorization ? decodeBasic(text) : undefined;
  return basic ?? { credentialName: "httpApiKey", data: { key: header, value: text } };
}

function decodeBasic(text: string): FoundSecret | undefined {
  const encoded = /^basic\s+([A-Za-z0-9+/=_-]+)$/i.exec(text)?.[1];
  if (encoded === undefined) return undefined;
  const decoded = decodeBase64(encoded);
  const colon = decoded.indexOf(":");
  if (colon < 0) return undefined;
  return basicAuth(decoded.slice(0, colon), decoded.slice(colon + 1));
}

function decodeBase64(text: string): string {
  try {
    return atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return "";
  }
}

function basicAuth(name: string, password: string): FoundSecret {
  return { credentialName: "httpBasicAuth", data: { basicAuthUsername: name, basicAuthPassword: password } };
}

/** An address without the secrets in it. */
export type CleanAddress = { url: string; secrets: FoundSecret[] };

/** Takes a name and password, and parameters that are secrets, out of an address. References in it stay. */
export function cleanAddress(address: string): CleanAddress {
  const secrets: FoundSecret[] = [];
  let url = address.replace(/^(\s*[a-z][a-z\d+.-]*:\/\/)([^/?#@\s]*)@/i, (_all, scheme: string, user: string) => {
    const [name = "", ...rest] = user.split(":");
    secrets.push(basicAuth(decode(name), decode(rest.join(":"))));
    return scheme;
  });
  url = url.replaceAll(/([?&#])([^=&#?\s]+)=([^&#\s]*)/g, (all, before: string, name: string, value: string) => {
    if (value === "" || /^\{\{[^{}]*\}\}$/.test(value) || !(isSecretName(decode(name)) || isSecretValue(decode(value))))
      return all;
    secrets.push({ credentialName: "httpApiKey", data: { key: decode(name), value: decode(value) } });
    return before === "&" ? "" : before;
  });
  const path = url.replace(/([?#])&+/, "$1").replace(/[?&#]+$/, "");
  return { url: withoutSecretSegments(path, secrets), secrets };
}

/** Long random parts of a path are keys as well, as in the addresses of webhooks. */
function withoutSecretSegments(url: string, secrets: FoundSecret[]): string {
  const [head = "", ...tail] = url.split(/(?=[?#])/);
  const start = /^\s*[a-z][a-z\d+.-]*:\/\/[^/]*/i.exec(head)?.[0] ?? "";
  const path = head
    .slice(start.length)
    .split("/")
    .map((segment) => {
      if (!isSecretValue(decode(segment)) || /[.]/.test(segment)) return segment;
      secrets.push({ credentialName: "httpApiKey", data: { key: "path", value: decode(segment) } });
      return "SECRET";
    });
  return `${start}${path.join("/")}${tail.join("")}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Keeps secrets apart from the flow. The first that a node can send goes to its `credential`. */
export function keepSecrets(
  step: Step,
  { secrets, nodeId, path, url }: { secrets: readonly FoundSecret[]; nodeId: string; path: string; url: string },
): void {
  const host = URL.parse(url.replaceAll(/\{\{[^{}]*\}\}/g, "x"))?.hostname;
  for (const [index, secret] of secrets.entries()) {
    const isSent = index === 0 && secret.data.key !== "path";
    const number = index === 0 ? "" : ` ${index + 1}`;
    const name = `${step.id}${host === undefined ? "" : ` (${host})`}${number}`.slice(0, 200);
    const places = isSent ? [{ nodeId, path }] : [];
    keepOnce(step, { name, ...secret, ...(host === undefined ? {} : { host }), places });
    const where = isSent
      ? "It becomes a credential that is sent as a header"
      : "It is kept as a credential that no step uses";
    step.warn(
      "import-secret-found",
      `It holds a secret in clear text. ${where}: check that the service takes it so, and replace the secret, since everyone who has the file can read it.`,
      nodeId,
    );
  }
}

/** A secret that is found again has one more place. */
function keepOnce({ flow }: Step, secret: ImportedSecret): void {
  const key = JSON.stringify([secret.credentialName, secret.data, secret.host]);
  const known = flow.kept.get(key);
  if (known !== undefined) {
    known.places.push(...secret.places);
    return;
  }
  flow.kept.set(key, secret);
  flow.drawing.keep(secret);
}
