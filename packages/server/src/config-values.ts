import type { FileLimit } from "@weft/chats";
import { type BudgetSettings, budgetSettingsSchema, parseJson } from "@weft/schema";

// Parsers for environment variables. Each is read without outer spaces; undefined for a mistake.

const flags: Record<string, boolean> = { true: true, "1": true, yes: true, false: false, "0": false, no: false };
const durationUnitsMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const sizeUnitsBytes: Record<string, number> = { b: 1, kb: 1_024, mb: 1_024 ** 2, gb: 1_024 ** 3 };

export const defaultDataDir = "./data";

export function parseFlag(value: string): boolean | undefined {
  return flags[value.toLowerCase()];
}

export function parseBudget(value: string): BudgetSettings | undefined {
  return budgetSettingsSchema.safeParse(parseJson(value)).data;
}

export function parseBytes(value: string): number | undefined {
  const match = /^(\d+)\s*(b|kb|mb|gb)?$/i.exec(value);
  if (match === null) return undefined;
  const size = Number(match[1]) * (sizeUnitsBytes[match[2]?.toLowerCase() ?? "b"] ?? 1);
  return size > 0 && Number.isSafeInteger(size) ? size : undefined;
}

export function parseFileLimit(value: string): FileLimit | undefined {
  const match = /^([^/]+)\/(\d{1,9})$/.exec(value.replaceAll(" ", ""));
  const sizeBytes = match === null ? undefined : parseBytes(match[1] ?? "");
  return sizeBytes === undefined ? undefined : { bytes: sizeBytes, files: Number(match?.[2]) };
}

export function parseDurationMs(value: string): number | undefined {
  const match = /^(\d+)\s*([smhd])$/.exec(value);
  const ms = match === null ? 0 : Number(match[1]) * (durationUnitsMs[match[2] ?? ""] ?? 0);
  return ms > 0 && Number.isSafeInteger(ms) ? ms : undefined;
}

export function parseRetention(value: string): number | undefined {
  return value.toLowerCase() === "off" ? 0 : parseDurationMs(value);
}

export function parseDays(value: string): number | undefined {
  if (value.toLowerCase() === "off") return 0;
  return /^\d{1,5}\s*d$/.test(value) ? parseDurationMs(value) : undefined;
}

export function parseHops(value: string): number | undefined {
  if (/^\d{1,2}$/.test(value)) return Number(value);
  const isTrusted = parseFlag(value);
  return isTrusted === undefined ? undefined : isTrusted ? Number.POSITIVE_INFINITY : 0;
}

/** `true` is a year, the time required by browsers' preload lists. */
export function parseHstsSeconds(value: string): number | undefined {
  const isOn = parseFlag(value);
  if (isOn !== undefined) return isOn ? 31_536_000 : 0;
  const ms = parseDurationMs(value);
  return ms === undefined ? undefined : Math.floor(ms / 1_000);
}

export function parseHostNames(value: string): string[] | undefined {
  const names = value.split(",").map((name) => name.trim().toLowerCase());
  return names.every((name) => /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/.test(name)) ? names : undefined;
}

/** Flows can read no key of the server, whatever the list says. */
export function parseNames(value: string): string[] | undefined {
  const names = value.split(",").map((name) => name.trim());
  return names.every((name) => /^(?!(ENCRYPTION|JWT)_KEY$)[A-Za-z_]\w*$/.test(name)) ? names : undefined;
}

export function parseHostList(value: string): string[] | undefined {
  const entries = value.split(",").map((entry) => entry.trim());
  return entries.every((entry) => /^(\[[0-9a-f:.]+\]|[^\s:/,]+):(\d{1,5})$/i.test(entry)) ? entries : undefined;
}

export function parseOrigins(value: string): string[] | undefined {
  const entries = value.split(",").map((entry) => entry.trim().toLowerCase().replace(/\/$/, ""));
  const isOrigin = (entry: string) => entry === "*" || (isHttpUrl(entry) && new URL(entry).origin === entry);
  return entries.every(isOrigin) ? entries : undefined;
}

export function isHttpUrl(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

/** With what a mail server is reached: nothing after the port, and user and password decodable. */
export function isSmtpUrl(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === "") return false;
  if (!/^\/?$/.test(url.pathname) || url.search !== "" || url.hash !== "") return false;
  try {
    decodeURIComponent(url.username + url.password);
    return true;
  } catch {
    return false;
  }
}
