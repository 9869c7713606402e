import { Text, Title } from "@mantine/core";
import type { FlowiseAgentReport, FlowiseReport, FlowiseTableReport } from "@weft/client";
import type { ReactNode } from "react";
import { formatList, formatNumber } from "../../languages/index.ts";
import { commonStrings, flowiseMoveStrings as strings, textFor } from "../../strings.ts";
import { CodeBlock } from "../../ui/content/code-block.tsx";
import { TextLink } from "../../ui/controls/links.tsx";
import { type Column, DataTable } from "../../ui/list/list-page.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import classes from "./flowise-move.module.css";

/** What a table of Flowise holds. */
export function kindOf(table: string): string {
  const { kinds } = strings;
  return textFor(kinds, table) ?? table;
}

const toLeft = ({ left }: FlowiseTableReport) => left.reduce((sum, { count }) => sum + count, 0);

const countColumns = (["read", "written", "there", "left"] as const).map(
  (name): Column<FlowiseTableReport> => ({
    key: name,
    header: strings.columns[name],
    isNarrow: true,
    isNumber: true,
    cell: (table) => formatNumber(name === "left" ? toLeft(table) : table[name]),
  }),
);

const columns: Column<FlowiseTableReport>[] = [
  { key: "kind", header: strings.kind, cell: ({ table }) => kindOf(table) },
  ...countColumns,
];

/** What an import does, or did, with each kind of entry and each agent, and what is left to do. */
export function ReportView({ report }: { report: FlowiseReport }) {
  const tables = report.tables.filter(({ read }) => read > 0);
  return (
    <>
      <Text size="sm" fw={500} role="status">
        {summarize(report)}
      </Text>
      {tables.length > 0 && (
        <DataTable label={strings.counts} columns={columns} rows={tables} idOf={({ table }) => table} />
      )}
      <LeftOut tables={tables} />
      <ToDo report={report} />
      <Agents report={report} />
      {report.notMoved.length > 0 && (
        <Hint>
          {strings.notMoved({
            counts: formatList(report.notMoved.map(({ table, count }) => `${table} ${formatNumber(count)}`)),
          })}
        </Hint>
      )}
    </>
  );
}

function summarize({ dryRun, tables }: FlowiseReport): string {
  const rows = tables.reduce((sum, { written }) => sum + written, 0);
  if (rows === 0) return dryRun ? strings.nothingToAdd : strings.nothingAdded;
  return dryRun ? strings.wouldAdd({ rows }) : strings.added({ rows });
}

/** A part of the report below its heading. */
function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={3} size="h5" mb={8}>
        {title}
      </Title>
      {children}
    </section>
  );
}

function LeftOut({ tables }: { tables: readonly FlowiseTableReport[] }) {
  const rows = tables.flatMap(({ table, left }) => left.map((group) => ({ table, ...group })));
  if (rows.length === 0) return null;
  return (
    <Part title={strings.left}>
      <ul className={classes.list}>
        {rows.map(({ table, reason, count, examples }) => (
          <li key={`${table} ${reason}`}>
            {commonStrings.labelled({ label: `${kindOf(table)} (${formatNumber(count)})`, value: reason })}
            <div className={classes.dimmed}>{toNames(examples, count)}</div>
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** The first names of so many. */
function toNames(names: readonly string[], count: number): string {
  const more = count > names.length ? ` + ${formatNumber(count - names.length)}` : "";
  return `${names.join(", ")}${more}`;
}

function ToDo({ report }: { report: FlowiseReport }) {
  const { runtimeVariables, privateHosts, schedules, embedding, notes } = report;
  const isPublic = report.agents.some(({ access }) => access === "public");
  const environment = [
    ...(isPublic ? ["ALLOW_PUBLIC_FLOWS=true"] : []),
    ...(runtimeVariables.length > 0 ? [`RUNTIME_VARIABLES=${runtimeVariables.join(",")}`] : []),
    ...(privateHosts.length > 0 ? [`EGRESS_ALLOW=${privateHosts.join(",")}`] : []),
  ];
  const stores = embedding.map(({ store, chunks }) => `${store} (${formatNumber(chunks)})`);
  const steps: ReactNode[] = [
    ...(isPublic ? [strings.publicFlows] : []),
    ...(runtimeVariables.length > 0 ? [strings.runtimeVariables({ names: formatList(runtimeVariables) })] : []),
    ...(privateHosts.length > 0 ? [strings.privateHosts({ hosts: formatList(privateHosts) })] : []),
    ...(schedules.length > 0 ? [strings.schedules({ names: formatList(schedules) })] : []),
    ...(stores.length > 0 ? [<Embedding key="embedding" stores={stores} />] : []),
    ...notes,
  ];
  if (steps.length === 0) return null;
  return (
    <Part title={strings.todo}>
      <ul className={classes.list}>
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the report does not change while it is shown
          <li key={index}>{step}</li>
        ))}
      </ul>
      {environment.length > 0 && (
        <>
          <Text size="sm" mt="sm" mb={6}>
            {strings.environment}
          </Text>
          <CodeBlock text={environment.join("\n")} />
        </>
      )}
    </Part>
  );
}

function Embedding({ stores }: { stores: readonly string[] }) {
  return (
    <>
      {strings.embedding({ stores: formatList(stores) })}{" "}
      <TextLink to="/document-stores" underline="always">
        {strings.openStores}
      </TextLink>
    </>
  );
}

function Agents({ report: { agents, dryRun } }: { report: FlowiseReport }) {
  if (agents.length === 0) return null;
  const clear = agents.filter(({ findings }) => findings.length === 0);
  const withFindings = agents.filter(({ findings }) => findings.length > 0);
  return (
    <Part title={strings.agents}>
      <Hint mb={8}>{strings.agentCounts({ clear: clear.length, withFindings: withFindings.length })}</Hint>
      <ul className={classes.agents} aria-label={strings.agents}>
        {[...withFindings, ...clear].map((agent) => (
          <Agent key={agent.id} agent={agent} isHere={!dryRun} />
        ))}
      </ul>
    </Part>
  );
}

function Agent({ agent: { id, name, access, findings }, isHere }: { agent: FlowiseAgentReport; isHere: boolean }) {
  return (
    <li>
      <div className={classes.agent}>
        {isHere ? (
          <TextLink to="/agents/$agentId" params={{ agentId: id }} fw={500}>
            {name}
          </TextLink>
        ) : (
          <span className={classes.name}>{name}</span>
        )}
        <span className={classes.dimmed}>{strings.access[access]}</span>
      </div>
      {findings.length > 0 && (
        <ul className={classes.list}>
          {[...new Set(findings)].map((finding) => (
            <li key={finding}>{finding}</li>
          ))}
        </ul>
      )}
    </li>
  );
}
