/** Rows that were not taken over for the same reason. `examples`: names or ids of the first of them. */
export type LeftRows = { reason: string; count: number; examples: string[] };

/** What became of a table. */
export type TableReport = { table: string; read: number; written: number; there: number; left: LeftRows[] };

/** Who may ask an agent: holders of its key, everybody, or holders of any key. */
export type AgentAccess = "key" | "public" | "closed";

export type AgentReport = { id: string; name: string; access: AgentAccess; findings: string[] };

/** What an import did, or would do, and what is left for the operator. */
export type FlowiseReport = {
  dryRun: boolean;
  tables: TableReport[];
  /** In the order of their names. */
  agents: AgentReport[];
  /** Sentences about single rows that are here and differ, such as credentials without values. */
  notes: string[];
  /** Variables whose values the other server took from its environment. */
  runtimeVariables: string[];
  /** Hosts, as `host:port`, that flows call and that are private. */
  privateHosts: string[];
  /** Names of the agents that start on a schedule, switched off here. */
  schedules: string[];
  /** Chunks that the server embeds when it starts, by document store. */
  embedding: { store: string; chunks: number }[];
  /** Rows that are never moved. */
  notMoved: { table: string; count: number }[];
};

/** Counts what becomes of the rows of one table. */
export type TableTally = {
  read(count: number): void;
  written(count: number): void;
  there(count: number): void;
  left(reason: string, name: string): void;
};

/** Collects the report while an import goes on. */
export type ReportCollector = ReturnType<typeof createReport>;

const maxExamples = 5;

export function createReport(dryRun: boolean) {
  const tables = new Map<string, TableReport>();
  const agents = new Map<string, AgentReport>();
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

  function reportOf(table: string): TableReport {
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
    agent(agent: AgentReport): void {
      agents.set(agent.id, agent);
    },
    /** Adds to what is known of an agent; nothing for one that was not read. */
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
