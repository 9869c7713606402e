import type { Retention, RetentionKind } from "@weft/schema";
import type { Config } from "../config.ts";

type RetentionConfig = Pick<
  Config,
  "auditRetentionMs" | "executionRetentionMs" | "payloadRetentionMs" | "unsentFilesMs" | "visitorRetention"
>;

/** The retention of each kind of data under these settings. */
export function listRetention(config: RetentionConfig): Retention[] {
  const runs = { keptSeconds: secondsOf(config.executionRetentionMs), setting: "EXECUTION_RETENTION" };
  const { visitorMs, leadMs } = config.visitorRetention;
  return [
    { kind: "runs", ...runs },
    { kind: "payloads", keptSeconds: secondsOf(config.payloadRetentionMs), setting: "PAYLOAD_RETENTION" },
    { kind: "upserts", ...runs },
    { kind: "visitor-chats", keptSeconds: secondsOf(visitorMs), setting: "VISITOR_RETENTION" },
    { kind: "chats", keptSeconds: null, setting: null },
    { kind: "leads", keptSeconds: secondsOf(leadMs), setting: "LEAD_RETENTION" },
    { kind: "uploads", ...runs },
    { kind: "unsent-files", keptSeconds: secondsOf(config.unsentFilesMs), setting: "UNSENT_FILES_RETENTION" },
    { kind: "audit", keptSeconds: secondsOf(config.auditRetentionMs), setting: "AUDIT_RETENTION_DAYS" },
    { kind: "logs", keptSeconds: 0, setting: null },
  ];
}

function secondsOf(ms: number): number | null {
  return ms === 0 ? null : Math.round(ms / 1_000);
}

const names: Readonly<Record<RetentionKind, string>> = {
  runs: "finished runs",
  payloads: "large inputs and outputs of their steps",
  upserts: "records of upserts",
  "visitor-chats": "chats of visitors, with their runs",
  chats: "other chats and feedback",
  leads: "leads",
  uploads: "files of chats without runs",
  "unsent-files": "files of chats that never begin",
  audit: "the audit log",
  logs: "logs",
};

/** A sentence that names every kind, and the setting that changes it. */
export function describeRetention(config: RetentionConfig): string {
  const kept = listRetention(config).map(({ kind, keptSeconds, setting }) => {
    const time = keptSeconds === null ? "until deleted" : toTime(keptSeconds);
    return `${names[kind]} ${time}${setting === null ? "" : ` (${setting})`}`;
  });
  return `Kept: ${kept.join("; ")}.`;
}

const daySeconds = 86_400;

function toTime(seconds: number): string {
  if (seconds === 0) return "not at all: they go to standard output";
  return seconds % daySeconds === 0 ? `for ${seconds / daySeconds} d` : `for ${Math.round(seconds / 36) / 100} h`;
}
