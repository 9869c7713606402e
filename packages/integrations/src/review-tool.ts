import { formSchemaOf } from "@weft/engine";
import type { NodeProblem } from "@weft/engine/node";
import { missingModulesSentence } from "@weft/engine/ports/sandbox";
import type { ToolReference } from "@weft/engine/ports/tool";
import { isJsonObject, type Json, textOrEmpty, toJsonObject } from "@weft/schema";
import type { StoredTools } from "./custom-tool/create-custom-tool.ts";
import type { Integration, IntegrationRegistry } from "./define-integration.ts";
import { toToolName } from "./tool-name.ts";

export type ToolReview = {
  problems: NodeProblem[];
  /** Whether building its tools reveals more problems: the settings are complete, and no other server is called. */
  isBuildable: boolean;
};

/** Finds problems in a tool's settings, and in the stored tools that it names. */
export async function reviewTool(
  registry: IntegrationRegistry,
  reference: ToolReference,
  stored: StoredTools,
): Promise<ToolReview> {
  const review = reviewSettings(registry, reference);
  const { type, config = {} } = reference;
  const integration = Object.hasOwn(registry, type) ? registry[type] : undefined;
  const parsed = integration?.config.safeParse(config);
  if (!integration || !parsed?.success) return review;
  const ofStored = await integration.reviewStored(parsed.data, stored);
  return { ...review, problems: [...ofStored.map(underConfig), ...review.problems] };
}

/** Finds problems in a tool's settings alone. Paths are those of the reference: `config.url`. */
export function reviewSettings(registry: IntegrationRegistry, { type, config = {} }: ToolReference): ToolReview {
  const integration = Object.hasOwn(registry, type) ? registry[type] : undefined;
  if (integration === undefined) {
    const message = `There is no integration of the type "${type}". Remove it, or choose another.`;
    return { problems: [{ level: "error", code: "tool-unknown", message }], isBuildable: false };
  }
  const parsed = integration.config.safeParse(config);
  if (!parsed.success) {
    const problems = parsed.error.issues.slice(0, 10).map((issue) => toProblem(integration, config, issue));
    return { problems, isBuildable: false };
  }
  const found = [...integration.review(parsed.data), ...reviewName(parsed.data.name)];
  return { problems: found.map(underConfig), isBuildable: !integration.asksServers(parsed.data) };
}

type Issue = { path: readonly PropertyKey[]; message: string };

function toProblem(integration: Integration, config: Json, { path, message }: Issue): NodeProblem {
  const names = path.map(String);
  const properties = toJsonObject(formSchemaOf(integration).properties);
  const title = textOrEmpty(toJsonObject(properties[names[0] ?? ""]).title) || names.join(".");
  const said = isMissing(config, names) ? `${title} is missing. Fill it in.` : `${title}: ${message}.`;
  return { level: "error", code: "tool-config-invalid", path: ["config", ...names].join("."), message: said };
}

function isMissing(config: Json, [name, ...others]: readonly string[]): boolean {
  return name !== undefined && others.length === 0 && !(isJsonObject(config) && Object.hasOwn(config, name));
}

/**
 * Models accept letters, digits, _ and -, at most 64: other names are changed, and prompts that use them miss the tool.
 */
function reviewName(name: unknown): NodeProblem[] {
  if (typeof name !== "string" || name.trim() === "") return [];
  const usable = toToolName(name, "");
  if (usable === name.trim()) return [];
  const called = usable === "" ? "a name of the platform's" : usable;
  const message = `Models cannot use the name "${name.trim().slice(0, 80)}": it may have letters, digits, _ and -, 64 at most. They see ${called}.`;
  const fix = usable === "" ? undefined : { title: `Call it ${usable}`, path: "name", value: usable };
  return [{ level: "warning", code: "tool-name-unusable", path: "name", message, ...(fix && { fix }) }];
}

function underConfig({ path, fix, ...problem }: NodeProblem): NodeProblem {
  return {
    ...problem,
    path: path === undefined ? "config" : `config.${path}`,
    ...(fix && { fix: { ...fix, path: `config.${fix.path}` } }),
  };
}

/** Finds uses of things that the sandbox lacks. `owner` starts the sentence. */
export function reviewCode(code: string, path: string, owner: string): NodeProblem[] {
  const message = missingModulesSentence(code, owner);
  return message === undefined ? [] : [{ level: "error", code: "code-module-unavailable", path, message }];
}
