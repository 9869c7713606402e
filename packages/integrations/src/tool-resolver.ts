import type { Tool, ToolBuildContext, ToolReference, ToolResolver } from "@weft/engine/ports/tool";
import { textOrEmpty, toJsonObject, type WeftError } from "@weft/schema";
import type { z } from "zod";
import type { Integration, IntegrationDeps, IntegrationRegistry } from "./define-integration.ts";
import { createMcpServers } from "./mcp/mcp-servers.ts";
import { createDocumentCache } from "./openapi/parse-document.ts";
import { invalidTool, uniqueToolNames } from "./tool-name.ts";

/**
 * Builds the tools of integrations. Names are unique among the tools of one reference. Rejects with `tool-invalid` for
 * an unknown type, invalid settings, and anything the integration rejects. Caches API descriptions and lists of MCP
 * tools, within bounds, for the resolver's lifetime.
 *
 * - K1 Tools are kept for as long as the settings object that they were built from, so a flow version builds them once.
 * - K2 What a build read beside the settings, credentials and rendered texts, is read again for every run, in the same
 *   order. Tools are used again only if all of it is the same. A build that asks for more of a run fails, unless its
 *   integration says that it builds for each run.
 * - K3 A run renders each text once, also when that makes its tools be built again.
 */
export function createToolResolver(registry: IntegrationRegistry, deps: IntegrationDeps): ToolResolver {
  const documents = createDocumentCache();
  const mcp = createMcpServers(deps);
  const kept = new WeakMap<object, KeptTools>();

  async function build(reference: ToolReference, context: ToolBuildContext): Promise<KeptTools> {
    const integration = integrationOf(registry, reference);
    const parsed = integration.config.safeParse(reference.config ?? {});
    if (!parsed.success) throw unfit(nameIn(reference.config, reference.type), parsed.error);
    const isKept = !integration.isBuiltForEachRun(parsed.data);
    const services = { ...context, ...deps, documents, mcp };
    const tools = await integration.build(parsed.data, isKept ? withoutRun(services, reference.type) : services);
    return { type: reference.type, tools: uniqueToolNames(tools), reads: [], isKept };
  }

  return {
    async resolve(reference, context) {
      const { type, config } = reference;
      const before = typeof config === "object" && config !== null ? kept.get(config) : undefined;
      const reads: Read[] = [];
      if (before?.type === type && (await readsTheSame(before.reads, context, reads))) return before.tools;
      const built = await build(reference, recording(context, reads));
      if (built.isKept && typeof config === "object" && config !== null) kept.set(config, { ...built, reads });
      return built.tools;
    },
  };
}

/** What differs from run to run, or may have changed since: tools that are kept cannot have read it. */
const ofOneRun = ["http", "signal", "warn", "storedTools", "mcp"] as const;

function withoutRun<T extends object>(services: T, type: string): T {
  const refuse = (name: string) => () => {
    throw new Error(`"${type}" reads ${name} to build tools that other runs use, too: let it say isBuiltForEachRun.`);
  };
  const refused = ofOneRun.map((name) => [name, { get: refuse(name) }] as const);
  return Object.defineProperties({ ...services }, Object.fromEntries(refused));
}

type KeptTools = { type: string; tools: Tool[]; reads: readonly Read[]; isKept: boolean };

/** Something that a build read of its context, with what it got. */
type Read = { value: string } & ({ credential: string } | { text: string; place: "text" | "url" | undefined });

/** Reads what an earlier build read, up to the first difference. Adds everything that it has read to `reads`. */
async function readsTheSame(before: readonly Read[], context: ToolBuildContext, reads: Read[]): Promise<boolean> {
  for (const read of before) {
    const value =
      "credential" in read
        ? JSON.stringify(await context.readCredential(read.credential))
        : context.render(read.text, read.place);
    reads.push({ ...read, value });
    if (value !== read.value) return false;
  }
  return true;
}

/** The context of a build, which first gets what was already read for it. Adds what it reads itself to `reads`. */
function recording(context: ToolBuildContext, reads: Read[]): ToolBuildContext {
  let next = 0;
  return {
    ...context,
    async readCredential(credential) {
      const known = reads[next++]?.value;
      if (known !== undefined) return JSON.parse(known) as Record<string, string>;
      const fields = await context.readCredential(credential);
      reads.push({ credential, value: JSON.stringify(fields) });
      return fields;
    },
    render(text, place) {
      // The same in every run, and never recorded.
      if (!text.includes("{{")) return context.render(text, place);
      const known = reads[next++]?.value;
      if (known !== undefined) return known;
      const value = context.render(text, place);
      reads.push({ text, place, value });
      return value;
    },
  };
}

function integrationOf(registry: IntegrationRegistry, { type }: ToolReference): Integration {
  const integration = Object.hasOwn(registry, type) ? registry[type] : undefined;
  if (integration !== undefined) return integration;
  const known = Object.keys(registry).join(", ");
  throw invalidTool(type, `no integration has this type. Known types: ${known}.`);
}

function nameIn(config: unknown, fallback: string): string {
  return textOrEmpty(toJsonObject(config).name) || fallback;
}

function unfit(name: string, { issues }: z.ZodError): WeftError {
  const first = issues.slice(0, 3);
  const problems = first.map(({ path, message }) => `${path.join(".") || "config"}: ${message}`);
  const errors = first.map(({ path, message }) => ({ path: ["config", ...path].join("."), message }));
  return invalidTool(name, `its settings are invalid. ${problems.join("; ")}.`, errors);
}
