import { readFlow } from "@weft/dialects";
import { type CompiledFlow, compileFlow, type NodeRegistry } from "@weft/engine";
import { LRUCache } from "lru-cache";

/** Compiled flows by version id: a version never changes, so neither does what it compiles to. */
export type FlowCache = { compile(versionId: string, flowData: string): CompiledFlow };

/** Keeps the `maxFlows` flows that were used last. */
export function createFlowCache(registry: NodeRegistry, maxFlows = 500): FlowCache {
  const flows = new LRUCache<string, CompiledFlow>({ max: maxFlows });
  return {
    compile(versionId, flowData) {
      const known = flows.get(versionId);
      if (known !== undefined) return known;
      const flow = compileFlow(flowData, registry, readFlow);
      flows.set(versionId, flow);
      return flow;
    },
  };
}
