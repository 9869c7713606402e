import type { ImportedSecret } from "@weft/dialects/importer";
import type { FlowDrawing } from "../drawing/index.ts";
import { textIn, type Value } from "./values.ts";

/** What a setting that authorises a call holds: the secret itself, or the name under which a server keeps it. */
export type Credential = { kind: "secret"; text: string } | { kind: "named"; name: string };

/** Undefined for a setting that is empty or absent. */
export function readCredential(value: Value | undefined): Credential | undefined {
  if (value?.kind === "environment") return { kind: "named", name: value.name };
  if (value?.kind === "operation") {
    const found = value.args.map(readCredential).filter((one) => one !== undefined);
    return found.find(({ kind }) => kind === "secret") ?? found[0];
  }
  if (value?.kind === "text") return readParts(value.parts);
  const text = textIn(value);
  return text === undefined ? undefined : unwrap(text);
}

/** `Bearer ${process.env.TOKEN}`: what is written beside the name of a variable may be a secret, too. */
function readParts(parts: readonly (string | Value)[]): Credential | undefined {
  const words = parts
    .filter((part) => typeof part === "string")
    .join("")
    .replace(/^\s*(Bearer|Basic|Token)\s*/i, "");
  if (words.trim() !== "") return { kind: "secret", text: words.trim() };
  return parts.map((part) => (typeof part === "string" ? undefined : readCredential(part))).find(Boolean);
}

/** Takes off `Bearer`, the JSON of an expression, its quotes and its base64. */
function unwrap(text: string): Credential | undefined {
  const inner = wrappedText(text.trim())
    .replace(/^(["'])([\s\S]*)\1$/, "$2")
    .replace(/^\s*(Bearer|Token)\s+/i, "")
    .trim();
  if (inner === "") return undefined;
  const name = variableIn(inner) ?? variableIn(decoded(inner));
  return name === undefined ? { kind: "secret", text: inner } : { kind: "named", name };
}

/** The inside of `{"expression": "\"…\"", "format": "cel"}`, which often is base64. */
function wrappedText(text: string): string {
  const inner = expressionIn(text);
  if (inner === undefined) return text;
  const bare = inner.trim().replace(/^(["'])([\s\S]*)\1$/, "$2");
  return decoded(bare) || bare;
}

function expressionIn(text: string): string | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const data: unknown = JSON.parse(text);
    const isWrapped = typeof data === "object" && data !== null && "expression" in data;
    return isWrapped && typeof data.expression === "string" ? data.expression : undefined;
  } catch {
    return undefined;
  }
}

function variableIn(text: string): string | undefined {
  return /^(?:Bearer\s+)?(?:\$\{|\{\{)?\s*(?:process\.env\.|os\.environ\.|env\.|\$)?([A-Z][A-Z0-9_]{2,99})\s*\}{0,2}$/.exec(
    text.trim(),
  )?.[1];
}

/** What base64 stands for, if it is text. */
function decoded(text: string): string {
  if (!/^[A-Za-z0-9+/]{8,}={0,2}$/.test(text)) return "";
  const plain = Buffer.from(text, "base64").toString("utf8");
  return /^[\x20-\x7e]+$/.test(plain) ? plain : "";
}

const secretHeader = /auth|token|key|secret|cookie|password|credential|session/i;

export function isSecretName(name: string): boolean {
  return secretHeader.test(name);
}

/** Where a credential goes, and what it is for. */
export type CredentialUse = { drawing: FlowDrawing; nodeId: string; paths: string[]; label: string; host?: string };

type SecretData = Pick<ImportedSecret, "credentialName" | "data">;
/** What a credential is made of, by the text of its secret. */
export type SecretReader = (text: string) => SecretData;

/** Keeps a secret beside the flow and says so; asks for a credential that the program only names. */
export function keepCredential(credential: Credential, data: SecretReader, use: CredentialUse): void {
  const { drawing, nodeId, paths, label, host } = use;
  const places = paths.map((path) => ({ nodeId, path }));
  if (credential.kind === "named") {
    for (const place of places) drawing.ask("credential", credential.name, place);
    return;
  }
  drawing.keep({ name: label, ...data(credential.text), places, ...(host === undefined ? {} : { host }) });
  const found = `The program holds a secret in clear for ${label}. It is left out of the flow and can be stored as a credential.`;
  const unplaced = "This place takes one credential only, and has another one: check which the server wants.";
  const rotate = "Rotate it: everyone with the file can read it.";
  const text = [found, ...(places.length === 0 ? [unplaced] : []), rotate].join(" ");
  drawing.report(nodeId).warn("import-secret-found", text);
}

export function bearerToken(token: string): SecretData {
  return { credentialName: "httpBearerToken", data: { token } };
}

export function headerSecret(key: string): SecretReader {
  return (value) =>
    key.toLowerCase() === "authorization" ? bearerToken(value) : { credentialName: "httpApiKey", data: { key, value } };
}

/** Texts of well-known shapes that only secrets have. */
const tokenShapes =
  /\b(?:sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,})\b/g;

/** A text without tokens of well-known shapes. */
export function withoutTokens(text: string): string {
  return text.replaceAll(tokenShapes, "[secret removed]");
}

/** An address without what authorises: user name and password, secret query values, and long random path segments. */
export function splitAddress(text: string): { url: string; secrets: { name: string; text: string }[]; host: string } {
  const url = URL.parse(text);
  const secrets: { name: string; text: string }[] = [];
  if (!url) return { url: withoutTokens(text), secrets, host: "" };
  const { username, password } = url;
  if (username !== "" || password !== "") secrets.push({ name: "", text: `${decode(username)}\n${decode(password)}` });
  url.username = "";
  url.password = "";
  for (const [name, value] of [...url.searchParams]) {
    if (value === "" || variableIn(value) !== undefined) continue;
    if (!isSecretName(name) && !looksRandom(value)) continue;
    secrets.push({ name, text: value });
    url.searchParams.delete(name);
  }
  const segments = url.pathname.split("/").map((segment) => {
    if (!looksRandom(segment)) return segment;
    secrets.push({ name: "path", text: decode(segment) });
    return "SECRET";
  });
  url.pathname = segments.join("/");
  url.hash = "";
  return { url: secrets.length === 0 ? text : url.href, secrets, host: url.host };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Long, of letters and digits mixed, as no person would name a thing. */
function looksRandom(text: string): boolean {
  return (
    /^[\w.~%+=-]{20,}$/.test(text) &&
    /\d/.test(text) &&
    /[A-Za-z]/.test(text) &&
    !/^[a-z]+(-[a-z0-9]{1,10})+$/.test(text)
  );
}
