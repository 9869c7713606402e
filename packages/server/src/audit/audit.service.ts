import { createPoller, type Poller } from "@weft/run-host";
import { type AuditEntry, type AuditFilter, type AuditPage, type AuditQuery, toMoment } from "@weft/schema";
import type { Context } from "../context.ts";
import { lastAuditSeq, listAudit, lockAudit, removeAuditBefore } from "./audit.store.ts";

export type AuditFormat = "ndjson" | "csv";

export type AuditService = {
  list(query: AuditQuery): Promise<AuditPage>;
  /** The entries so far that match, oldest first, a page at a time. */
  export(filter: AuditFilter, format: AuditFormat): AsyncGenerator<string>;
  /** Deletes entries whose time is over. */
  retention: Pick<Poller, "start" | "stop">;
};

const usualLimit = 50;
const exportedAtOnce = 500;

export function createAuditService({ database, clock, config, logger }: Context): AuditService {
  const { read } = database;
  return {
    async list({ before, limit = usualLimit, ...filter }) {
      const found = await listAudit(read, filter, { before, limit: limit + 1 });
      const data = found.slice(0, limit);
      return { data, next: found.length > limit ? (data.at(-1)?.seq ?? null) : null };
    },

    async *export(filter, format) {
      const toText = format === "csv" ? toCsvLine : toJsonLine;
      if (format === "csv") yield `${csvColumns.map(([name]) => name).join(",")}\r\n`;
      const last = await lastAuditSeq(read);
      for (let after = 0; ; ) {
        const page = await listAudit(read, filter, { after, limit: exportedAtOnce });
        const text = page.flatMap((entry) => (entry.seq > last ? [] : toText(entry))).join("");
        if (text !== "") yield text;
        after = page.at(-1)?.seq ?? last;
        if (page.length < exportedAtOnce || after >= last) return;
      }
    },

    retention: createPoller({
      clock,
      everyMs: everyHourMs,
      async round(signal) {
        if (config.auditRetentionMs === 0) return;
        const before = toMoment(clock.now() - config.auditRetentionMs);
        const removeSome = () =>
          database.write(
            async (tx) => {
              await lockAudit(tx, database.dialect);
              return removeAuditBefore(tx, before);
            },
            { isolation: "read-committed" },
          );
        while (!signal.aborted && (await removeSome()) > 0) await clock.sleep(pauseMs, signal);
      },
      onFailure: (cause) => logger.error("audit-retention-failed", { cause }),
    }),
  };
}

const everyHourMs = 3_600_000;
/** Between two batches, so that other writers are not blocked for long. */
const pauseMs = 50;

function toJsonLine(entry: AuditEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

const csvColumns: readonly (readonly [name: string, value: (entry: AuditEntry) => string | number])[] = [
  ["seq", ({ seq }) => seq],
  ["date", ({ date }) => date],
  ["actorKind", ({ actor }) => actor.kind],
  ["actorId", ({ actor }) => actor.id],
  ["actorName", ({ actor }) => actor.name],
  ["action", ({ action }) => action],
  ["outcome", ({ outcome }) => outcome],
  ["thingKind", ({ thing }) => thing.kind],
  ["thingId", ({ thing }) => thing.id],
  ["fields", ({ fields }) => fields.join(" ")],
  ["omitted", ({ omitted }) => omitted],
  ["address", ({ address }) => address],
  ["requestId", ({ requestId }) => requestId],
  ["hash", ({ hash }) => hash],
];

function toCsvLine(entry: AuditEntry): string {
  return `${csvColumns.map(([, value]) => toCsvCell(String(value(entry)))).join(",")}\r\n`;
}

/** A spreadsheet would run what begins like a formula. */
function toCsvCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
