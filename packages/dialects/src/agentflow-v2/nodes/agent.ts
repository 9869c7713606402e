import type { JsonObject } from "@weft/schema";
import { toKnowledge } from "../knowledge.ts";
import { toModelSettings } from "../models/to-model-settings.ts";
import { type NodeConverter, type NodeScope, reportUnder } from "../node-converter.ts";
import { toPromptConfig, toResponseRole } from "../prompt.ts";
import { toStructuredOutput } from "../structured-output.ts";
import { convertWholeTool } from "../tools/tool-table.ts";

export const agent: NodeConverter = {
  type: "agent",
  toSpokenRole: (settings) => toResponseRole(settings, "agent"),
  toConfig: (scope) => ({
    model: toModelSettings(scope, "agentModel"),
    ...toPromptConfig(scope, "agent"),
    tools: toTools(scope),
    ...toKnowledge(scope),
    ...toStructuredOutput(scope, "agentStructuredOutput"),
  }),
};

function toTools(scope: NodeScope): JsonObject[] {
  const { settings, report } = scope;
  refuseVendorTools(scope);
  const tools: JsonObject[] = [];
  for (const row of settings.rows("agentTools")) {
    const own = reportUnder(report, `tools.${tools.length}.config`);
    const tool = convertWholeTool(row.text("agentSelectedTool"), row.group("agentSelectedToolConfig"), own);
    if (tool === undefined) continue;
    const needsApproval = row.flag("agentSelectedToolRequiresHumanInput");
    tools.push({ ...tool, ...(needsApproval ? { requiresApproval: true } : {}) });
  }
  return tools;
}

/** Tools that a vendor runs beside its model; only those of the chosen model count. */
const vendorTools: Readonly<Record<string, string>> = {
  chatOpenAI: "agentToolsBuiltInOpenAI",
  chatGoogleGenerativeAI: "agentToolsBuiltInGemini",
  chatAnthropic: "agentToolsBuiltInAnthropic",
};

function refuseVendorTools({ settings, report }: NodeScope): void {
  const model = settings.text("agentModel");
  const names = Object.hasOwn(vendorTools, model) ? settings.names(vendorTools[model] ?? "") : [];
  if (names.length === 0) return;
  report.refuse(
    "tool-unsupported",
    `These tools of its model's vendor cannot be used here: ${names.join(", ")}. Choose Web search or Code interpreter instead, or remove them.`,
  );
}
