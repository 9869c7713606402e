import type { ToolResolver } from "@weft/engine/ports/tool";
import type { WeftError } from "@weft/schema";
import type { z } from "zod";
import type { IntegrationDeps, IntegrationRegistry } from "./define-integration.ts";
import { createMcpServers } from "./mcp/mcp-servers.ts";
import { createDocumentCache } from "./openapi/parse-document.ts";
import { invalidTool, uniqueToolNames } from "./tool-name.ts";

/**
 * Builds the tools of integrations. Names are unique among the tools of one reference. Rejects with `tool-invalid` for
 * an unknown type, invalid settings, and anything the integration rejects. Caches API descriptions and lists of MCP
 * tools, within bounds, for the resolver's lifetime.
 */
export function createToolResolver(registry: IntegrationRegistry, deps: IntegrationDeps): ToolResolver {
  const documents = createDocumentCache();
  const mcp = createMcpServers(deps);
  return {
    async resolve(reference, context) {
      if (!Object.hasOwn(registry, reference.type)) {
        const known = Object.keys(registry).join(", ");
        throw invalidTool(reference.type, `there is no integration of this type. Known types: ${known}.`);
      }
      const integration = registry[reference.type] as IntegrationRegistry[string];
      const parsed = integration.config.safeParse(reference.config ?? {});
      if (!parsed.success) throw unfit(nameIn(reference.config, reference.type), parsed.error);
      return uniqueToolNames(await integration.build(parsed.data, { ...context, ...deps, documents, mcp }));
    },
  };
}

function nameIn(config: unknown, fallback: string): string {
  const name = (config as { name?: unknown } | null)?.name;
  return typeof name === "string" && name !== "" ? name : fallback;
}

function unfit(name: string, { issues }: z.ZodError): WeftError {
  const first = issues.slice(0, 3);
  const problems = first.map(({ path, message }) => `${path.join(".") || "config"}: ${message}`);
  const errors = first.map(({ path, message }) => ({ path: ["config", ...path].join("."), message }));
  return invalidTool(name, `its settings are invalid. ${problems.join("; ")}.`, errors);
}
