import { readFlow, recognise } from "@weft/dialects";
import { compileFlow, type NodeRegistry } from "@weft/engine";
import type { Finding, FlowReading } from "@weft/schema";
import type { ScheduleService } from "../schedules/schedule.service.ts";
import { checkReferences, type KnownReferences } from "./check-references.ts";

/** Reads flows that need not be stored. Executes nothing and never throws: what is strange becomes a finding. */
export type FlowService = {
  /** What is wrong, or worth knowing, about a flow of any dialect. */
  check(flowData: string): Promise<Finding[]>;
  /** The flow in the native format, and what `check` says of it. */
  read(flowData: string): Promise<FlowReading>;
};

export type FlowServiceDeps = {
  nodeTypes: NodeRegistry;
  schedules: Pick<ScheduleService, "check">;
  /** What flows may refer to. */
  known: KnownReferences;
};

export function createFlowService({ nodeTypes, schedules, known }: FlowServiceDeps): FlowService {
  async function compile(flowData: string) {
    const compiled = compileFlow(flowData, nodeTypes, readFlow);
    const { flow } = compiled;
    const findings = [...compiled.findings, ...schedules.check(compiled), ...(await checkReferences(flow, known))];
    return { flow, findings };
  }
  return {
    check: async (flowData) => (await compile(flowData)).findings,
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
