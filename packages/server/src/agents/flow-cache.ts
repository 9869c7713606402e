import { readFlow } from "@weft/dialects";
import { type CompiledFlow, compileFlow, type NodeRegistry } from "@weft/engine";

/** Compiled flows by version id: a version never changes, so neither does what it compiles to. */
export type FlowCache = { compile(versionId: string, flowData: string): CompiledFlow };

/** Keeps the `maxFlows` flows that were used last. */
export function createFlowCache(registry: NodeRegistry, maxFlows = 500): FlowCache {
  const flows = new Map<string, CompiledFlow>();
  return {
    compile(versionId, flowData) {
      const known = flows.get(versionId);
      const flow = known ?? compileFlow(flowData, registry, readFlow);
      flows.delete(versionId);
      flows.set(versionId, flow);
      const [oldest] = flows.keys();
      if (flows.size > maxFlows && oldest !== undefined) flows.delete(oldest);
      return flow;
    },
  };
}
