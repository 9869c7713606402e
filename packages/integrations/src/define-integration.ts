import type { NodeProblem } from "@weft/engine/node";
import type { Tool, ToolBuildContext } from "@weft/engine/ports/tool";
import type { CredentialType } from "@weft/schema";
import type { z } from "zod";
import type { StoredTools } from "./custom-tool/create-custom-tool.ts";
import type { McpDeps, McpServers } from "./mcp/mcp-servers.ts";
import type { DocumentCache } from "./openapi/parse-document.ts";

/** Platform services for integrations, the same in every run. */
export type IntegrationDeps = { storedTools: StoredTools } & McpDeps;

/** Context for building an integration's tools. */
export type IntegrationContext = ToolBuildContext & IntegrationDeps & { documents: DocumentCache; mcp: McpServers };

export type IntegrationGroup = "request" | "toolkit" | "custom" | "built-in";

export type IntegrationDefinition<Shape extends z.ZodRawShape> = {
  /** Its name in flows, in kebab-case. A promise to stored flows: never renamed. */
  type: string;
  title: string;
  summary: string;
  group: IntegrationGroup;
  /** Name of an icon in the builder. */
  icon?: string;
  /** Credential types that it accepts beside those of HTTP calls. Default: none. */
  credentialTypes?: readonly CredentialType[];
  /** Form hints are in `.meta()`: `title`, `help`, `widget`, `advanced`, and `template` where `{{ … }}` is allowed. */
  config: z.ZodObject<Shape>;
  /** Throws `tool-invalid` if the settings cannot make a tool. */
  build(config: z.infer<z.ZodObject<Shape>>, context: IntegrationContext): Promise<Tool[]> | Tool[];
  /** Finds settings that `build` accepts but that make calls fail. Paths are those of the settings. Default: none. */
  review?(config: z.infer<z.ZodObject<Shape>>): NodeProblem[];
  /** As `review`, for the stored tools that the settings name. */
  reviewStored?(config: z.infer<z.ZodObject<Shape>>, stored: StoredTools): Promise<NodeProblem[]>;
  /** Whether `build` calls other servers, so that it tells nothing about the settings alone. Default: never. */
  asksServers?(config: z.infer<z.ZodObject<Shape>>): boolean;
  /**
   * Whether `build` reads, or keeps for its tools, more of its context than credentials, rendered texts and the
   * platform's clock. Default: if it asks servers.
   */
  isBuiltForEachRun?(config: z.infer<z.ZodObject<Shape>>): boolean;
};

/** An integration with its types erased, for the registry, the resolver and the catalogue. */
export type Integration = {
  readonly type: string;
  readonly title: string;
  readonly summary: string;
  readonly group: IntegrationGroup;
  readonly icon?: string;
  readonly credentialTypes: readonly CredentialType[];
  readonly config: z.ZodType<Record<string, unknown>>;
  /** `config` must have been parsed by that schema. */
  build(config: Record<string, unknown>, context: IntegrationContext): Promise<Tool[]>;
  review(config: Record<string, unknown>): NodeProblem[];
  reviewStored(config: Record<string, unknown>, stored: StoredTools): Promise<NodeProblem[]>;
  asksServers(config: Record<string, unknown>): boolean;
  isBuiltForEachRun(config: Record<string, unknown>): boolean;
};

export type IntegrationRegistry = Readonly<Record<string, Integration>>;

/** Declares something that an agent can call: types, validation, palette entry and form derive from it. */
export function defineIntegration<Shape extends z.ZodRawShape>(definition: IntegrationDefinition<Shape>): Integration {
  // `config` has parsed what these functions are given.
  const own = (config: Record<string, unknown>) => config as z.infer<z.ZodObject<Shape>>;
  const { asksServers = () => false, isBuiltForEachRun = asksServers } = definition;
  return {
    type: definition.type,
    title: definition.title,
    summary: definition.summary,
    group: definition.group,
    ...(definition.icon === undefined ? {} : { icon: definition.icon }),
    credentialTypes: definition.credentialTypes ?? [],
    config: definition.config as unknown as z.ZodType<Record<string, unknown>>,
    async build(config, context) {
      return definition.build(own(config), context);
    },
    review: (config) => definition.review?.(own(config)) ?? [],
    reviewStored: async (config, stored) => (await definition.reviewStored?.(own(config), stored)) ?? [],
    asksServers: (config) => asksServers(own(config)),
    isBuiltForEachRun: (config) => isBuiltForEachRun(own(config)),
  };
}
