import { defineRoute, type Route } from "@weft/http";
import { auditFilterSchema, auditPageSchema, auditQuerySchema } from "@weft/schema";
import { z } from "zod";
import { defineFeature } from "../feature.ts";
import { type AuditFormat, type AuditService, createAuditService } from "./audit.service.ts";

declare module "../feature.ts" {
  interface Services {
    audit: AuditService;
  }
}

/** What it lists is written by `createAudit`, with what others write. */
export const audit = defineFeature({
  name: "audit",
  tables: ["auditEntries", "auditChain"],
  service: createAuditService,
  routes: auditRoutes,
  start: ({ retention }) => retention.start(),
  stop: ({ retention }) => retention.stop(),
  startedBy: ["all", "worker"],
});

const tag = "Audit";

/** Routes of `/audit`. */
function auditRoutes(service: AuditService): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/audit",
      operationId: "getAuditLog",
      summary: "List who did what to which thing, the newest first",
      description:
        "Each change has an entry that is written in the transaction of the change. Sign-ins, requests that were refused to signed-in callers, and accounts that read chats of others have one, too.",
      tag,
      permission: "audit:read",
      query: auditQuerySchema,
      returns: { schema: auditPageSchema },
      errors: [400],
      handle: ({ query }) => service.list(query),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/audit/export",
      operationId: "exportAudit",
      audit: "always",
      summary: "Download the audit log, the oldest entry first",
      description: "One JSON object a line, or CSV for spreadsheets. The answer is sent as it is read.",
      tag,
      permission: "audit:read",
      query: auditFilterSchema.extend({
        format: z
          .enum(["ndjson", "csv"])
          .optional()
          .meta({ description: "Default: what Accept asks for, else ndjson" }),
      }),
      returns: { schema: z.string(), contentType: "application/x-ndjson", otherContentTypes: ["text/csv"] },
      errors: [400],
      handle({ query: { format: asked, ...filter }, headers, method }) {
        const format = asked ?? formatOf(headers);
        return toDownload(service.export(filter, format), { format, isHead: method === "HEAD" });
      },
    }),
  ];
}

function formatOf(headers: Headers): AuditFormat {
  return (headers.get("accept") ?? "").includes("text/csv") ? "csv" : "ndjson";
}

const typeOf: Readonly<Record<AuditFormat, string>> = {
  ndjson: "application/x-ndjson; charset=utf-8",
  csv: "text/csv; charset=utf-8",
};

function toDownload(pieces: AsyncGenerator<string>, { format, isHead }: { format: AuditFormat; isHead: boolean }) {
  return new Response(isHead ? null : toStream(pieces), {
    headers: { "content-type": typeOf[format], "content-disposition": `attachment; filename="weft-audit.${format}"` },
  });
}

function toStream(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
