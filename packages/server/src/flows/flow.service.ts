import { readFlow, recognise } from "@weft/dialects";
import { checkVariables, compileFlow, type NodeRegistry, reviewNodes } from "@weft/engine";
import type { Finding, FlowReading } from "@weft/schema";
import type { AgentSettings } from "../credentials/index.ts";
import type { ScheduleService } from "../schedules/schedule.service.ts";
import { checkNeeds, type NeedsDeps } from "./check-needs.ts";
import { checkReferences } from "./check-references.ts";

/** Reads flows that need not be stored. Executes nothing and never throws: what is strange becomes a finding. */
export type FlowService = {
  /** What is wrong, or worth knowing, about a flow of any dialect. */
  check(flowData: string, settings?: Omit<AgentSettings, "flowData">): Promise<Finding[]>;
  /** The flow in the native format, and what `check` says of it. */
  read(flowData: string): Promise<FlowReading>;
};

export type FlowServiceDeps = NeedsDeps & {
  nodeTypes: NodeRegistry;
  schedules: Pick<ScheduleService, "check">;
  variableNames(): Promise<string[]>;
  /** What credentials of the flow would be refused. */
  checkHosts(agent: AgentSettings): Promise<Finding[]>;
};

export function createFlowService(deps: FlowServiceDeps): FlowService {
  const { nodeTypes, schedules, known } = deps;

  async function compile(flowData: string, settings: Omit<AgentSettings, "flowData"> = {}) {
    const compiled = compileFlow(flowData, nodeTypes, readFlow);
    const { flow, graph } = compiled;
    const findings = [
      ...compiled.findings,
      ...schedules.check(compiled),
      ...reviewNodes(graph),
      ...checkVariables(compiled, await deps.variableNames()),
      ...(await checkReferences(flow, known)),
      ...(await checkNeeds(compiled, deps)),
      ...(await deps.checkHosts({ ...settings, flowData })),
    ];
    return { flow, findings };
  }
  return {
    check: async (flowData, settings) => (await compile(flowData, settings)).findings,
    async read(flowData) {
      const recognised = recognise(flowData);
      const { flow, findings } = await compile(flowData);
      return {
        dialect: recognised.dialect,
        flow: { ...flow, weft: 1, nodes: [...flow.nodes], edges: [...flow.edges] },
        findings,
        flows: recognised.dialect === "workspace" ? recognised.flows : [],
      };
    },
  };
}
