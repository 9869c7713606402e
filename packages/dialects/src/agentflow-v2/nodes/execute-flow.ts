import { isObject } from "../foreign-flow.ts";
import { type NodeConverter, type NodeScope, present } from "../node-converter.ts";
import { toResponseRole } from "../prompt.ts";

export const executeFlow: NodeConverter = {
  type: "execute-flow",
  toSpokenRole: (settings) => toResponseRole(settings, "executeFlow"),
  toConfig(scope) {
    const { settings, flow, report } = scope;
    const agentId = settings.text("executeFlowSelectedFlow");
    if (agentId === "") report.refuse("flow-missing", "It calls no flow. Choose one.");
    if (settings.text("executeFlowBaseURL") !== "") {
      report.warn(
        "flow-address-ignored",
        "Its base URL is not used: it calls a flow of this server. To call another server, use an HTTP node.",
      );
    }
    return present({
      agentId,
      input: settings.template("executeFlowInput") || flow.inputTemplate,
      overrideConfig: toOverrides(scope),
      responseRole: toResponseRole(settings, "executeFlow"),
    });
  },
};

/** JSON text, its references still in it. */
function toOverrides({ settings, report }: NodeScope): string | undefined {
  const overrides = settings.json("executeFlowOverrideConfig");
  if (overrides === undefined) return undefined;
  if (isObject(overrides)) return JSON.stringify(overrides);
  report.refuse("flow-overrides-invalid", "Its override configuration is no JSON object. Correct it.");
  return undefined;
}
