import type { Parts } from "../compose.ts";
import { fillHosts } from "../credentials/index.ts";
import { type PlatformDeps, withIdleParts } from "../platform.ts";
import { type FlowiseImportDeps, type FlowiseImportOptions, importFlowise } from "./import-flowise.ts";
import type { FlowiseReport } from "./report.ts";

/**
 * Imports into an installation that no server on SQLite has open, and begins nothing here: what is to be embedded is
 * accepted, and done by the server. As `importFlowise`.
 */
export function importInto(platform: PlatformDeps, options: FlowiseImportOptions): Promise<FlowiseReport> {
  const config = { ...platform.config, role: "api" as const };
  return withIdleParts({ ...platform, config }, async (parts) => {
    await parts.runtime.start();
    return importFlowise(toImportDeps(parts), options);
  });
}

/** What an import needs of the parts of a platform. */
function toImportDeps(parts: Parts): FlowiseImportDeps {
  const { base, material, identity, agents, assistants, flows, triggers, runtime } = parts;
  const { credentials, variables, tools, hostBinding } = material;
  const { documentStores } = runtime;
  return {
    database: base.database,
    credentials,
    variables,
    tools,
    apiKeys: identity.apiKeys,
    documentStores,
    agents,
    assistants,
    files: parts.chats.files,
    checkFlow: flows.check,
    keepScheduleOff: triggers.schedules.keepOff,
    adoptWebhookSecret: triggers.adoptWebhookSecret,
    fillHosts: () => fillHosts({ read: base.database.read, credentials, binding: hostBinding, logger: base.logger }),
    embed: async (storeId, loaderIds) => void (await documentStores.upserts.beginInsertOf(storeId, loaderIds)),
  };
}
