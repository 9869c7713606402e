import { z } from "zod";
import { parseJson } from "./json.ts";

/** Days for which visitors' data is kept; absent: the installation's setting. */
const retentionSettingsSchema = z.strictObject({
  /** Chats without credentials: after the last message, with their runs, files, feedback and documents. */
  visitorDays: z.number().int().min(1).max(36_500).optional(),
  /** Leads: since they were left. */
  leadDays: z.number().int().min(1).max(36_500).optional(),
});
export type RetentionSettings = z.infer<typeof retentionSettingsSchema>;

const settings = z.object({ retention: retentionSettingsSchema.optional() });

/** Reads `retention` from an agent's `apiConfig`; empty if it is invalid. */
export function readRetention(apiConfig: string): RetentionSettings {
  const read = settings.safeParse(parseJson(apiConfig));
  return (read.success ? read.data.retention : undefined) ?? {};
}

/** Whether an `apiConfig` has a valid `retention`, or none. */
export function hasValidRetention(apiConfig: string): boolean {
  const config = parseJson(apiConfig);
  return config === null || typeof config !== "object" || settings.safeParse(config).success;
}

/** In milliseconds; 0: until deleted. */
export type VisitorRetention = { visitorMs: number; leadMs: number };

const dayMs = 86_400_000;

/** The retention of an agent: the shorter of its own and the installation's. */
export function retentionOf(own: RetentionSettings, installation: VisitorRetention): VisitorRetention {
  return {
    visitorMs: shorter((own.visitorDays ?? 0) * dayMs, installation.visitorMs),
    leadMs: shorter((own.leadDays ?? 0) * dayMs, installation.leadMs),
  };
}

function shorter(one: number, other: number): number {
  return one === 0 || other === 0 ? Math.max(one, other) : Math.min(one, other);
}
