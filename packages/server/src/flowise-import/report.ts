import type { FlowiseAgentReport, FlowiseReport, FlowiseTableReport } from "@weft/schema";

/** Counts the outcomes of one table's rows. */
export type TableTally = {
  read(count: number): void;
  written(count: number): void;
  there(count: number): void;
  left(reason: string, name: string): void;
};

export type ReportCollector = ReturnType<typeof createReport>;

const maxExamples = 5;

export function createReport(dryRun: boolean) {
  const tables = new Map<string, FlowiseTableReport>();
  const agents = new Map<string, FlowiseAgentReport>();
  const report: FlowiseReport = {
    dryRun,
    tables: [],
    agents: [],
    notes: [],
    runtimeVariables: [],
    privateHosts: [],
    schedules: [],
    embedding: [],
    notMoved: [],
  };

  function reportOf(table: string): FlowiseTableReport {
    const known = tables.get(table) ?? { table, read: 0, written: 0, there: 0, left: [] };
    tables.set(table, known);
    return known;
  }

  return {
    table(name: string): TableTally {
      const counts = reportOf(name);
      const add = (field: "read" | "written" | "there", count: number) => {
        counts[field] += count;
      };
      return {
        read: (count) => add("read", count),
        written: (count) => add("written", count),
        there: (count) => add("there", count),
        left(reason, example) {
          const known = counts.left.find((rows) => rows.reason === reason);
          const rows = known ?? { reason, count: 0, examples: [] };
          if (known === undefined) counts.left.push(rows);
          rows.count += 1;
          if (rows.examples.length < maxExamples) rows.examples.push(example);
        },
      };
    },
    note: (sentence: string) => void report.notes.push(sentence),
    runtimeVariable: (name: string) => void report.runtimeVariables.push(name),
    privateHosts: (hosts: Iterable<string>) => void report.privateHosts.push(...hosts),
    schedule: (agentName: string) => void report.schedules.push(agentName),
    embeds: (store: string, chunks: number) => void report.embedding.push({ store, chunks }),
    notMoved(table: string, count: number): void {
      if (count > 0) report.notMoved.push({ table, count });
    },
    agent(agent: FlowiseAgentReport): void {
      agents.set(agent.id, agent);
    },
    /** Adds findings to an agent; ignores one that was not read. */
    findings(agentId: string, findings: readonly string[]): void {
      agents.get(agentId)?.findings.push(...findings);
    },
    finish(): FlowiseReport {
      return {
        ...report,
        tables: [...tables.values()],
        agents: [...agents.values()].sort((a, b) => a.name.localeCompare(b.name)),
        runtimeVariables: [...new Set(report.runtimeVariables)].sort(),
        privateHosts: [...new Set(report.privateHosts)].sort(),
      };
    },
  };
}

/** Why sealed data came without its values. */
export const unopened = {
  "no-key": "no key was given",
  "wrong-key": "the key does not open it",
  "secrets-manager": "its values are in AWS Secrets Manager",
  damaged: "it is damaged",
} as const;
