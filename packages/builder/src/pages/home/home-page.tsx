import { SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Stats } from "@weft/client";
import { type ReactNode, useState } from "react";
import { statsQuery } from "../../api/executions.ts";
import { formatNumber } from "../../languages/index.ts";
import { choicesIn, homeStrings as strings } from "../../strings.ts";
import { formatCost, formatDuration, formatPercent } from "../../ui/content/format.ts";
import { Moment } from "../../ui/content/time.tsx";
import { TextLink } from "../../ui/controls/links.tsx";
import { ListBody } from "../../ui/page/notices.tsx";
import { Page, Section } from "../../ui/page/page.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import { VolumeChart } from "../../ui/volume-chart.tsx";
import classes from "./home.module.css";

type Range = Stats["range"];

const ranges = choicesIn(strings.ranges);

/** What happened lately, and what waits for a person. */
export function HomePage() {
  const [range, setRange] = useState<Range>("24h");
  const query = useQuery(statsQuery(range));
  const choice = <SegmentedControl aria-label={strings.range} value={range} onChange={setRange} data={ranges} />;
  return (
    <Page title={strings.title} summary={strings.summary} actions={choice}>
      <ListBody query={query} rowHeight={96}>
        {(stats) => (
          <>
            <Tiles stats={stats} />
            <Section title={strings.volume}>
              <VolumeChart stats={stats} />
            </Section>
            <Section title={strings.agents}>
              <BusyAgents stats={stats} />
            </Section>
            <Section title={strings.latestFailures}>
              <LatestFailures failures={stats.latestFailures} />
            </Section>
          </>
        )}
      </ListBody>
    </Page>
  );
}

function Tiles({ stats }: { stats: Stats }) {
  const { runs, failures, running, p95DurationMs, totalTokens, costDollars, unpricedRuns, waiting } = stats;
  const rate = runs === 0 ? 0 : failures / runs;
  return (
    <dl className={classes.tiles}>
      <Tile name={strings.runs} value={formatNumber(runs)} note={strings.running({ count: running })} />
      <Tile
        name={strings.failures}
        value={formatNumber(failures)}
        note={strings.failureRate({ percent: formatPercent(rate) })}
      />
      <Tile
        name={strings.p95}
        value={p95DurationMs === null ? strings.unknown : formatDuration(p95DurationMs)}
        note={strings.p95Note}
      />
      <Tile name={strings.tokens} value={formatNumber(totalTokens)} />
      <Tile
        name={strings.cost}
        value={costDollars === null ? strings.unknown : formatCost(costDollars)}
        note={unpricedRuns > 0 && strings.unpriced({ count: unpricedRuns })}
      />
      <Tile
        name={strings.waiting}
        value={formatNumber(waiting)}
        note={
          waiting === 0 ? (
            strings.nothingWaits
          ) : (
            <TextLink to="/inbox" inherit>
              {strings.openInbox}
            </TextLink>
          )
        }
      />
    </dl>
  );
}

function Tile({ name, value, note = false }: { name: string; value: string; note?: ReactNode }) {
  return (
    <div className={classes.tile}>
      <dt>{name}</dt>
      <dd className={classes.number}>{value}</dd>
      {note !== false && <dd className={classes.note}>{note}</dd>}
    </div>
  );
}

function BusyAgents({ stats: { agents } }: { stats: Stats }) {
  if (agents.length === 0) return <Hint>{strings.noRuns}</Hint>;
  return (
    <table className={classes.table} aria-label={strings.agents}>
      <thead>
        <tr>
          <th scope="col">{strings.agent}</th>
          <th scope="col" data-number>
            {strings.runs}
          </th>
          <th scope="col" data-number>
            {strings.failures}
          </th>
        </tr>
      </thead>
      <tbody>
        {agents.map(({ agentflowId, agentName, runs, failures }) => (
          <tr key={agentflowId}>
            <th scope="row">
              {agentName === null ? (
                strings.deletedAgent
              ) : (
                <TextLink to="/agents/$agentId" params={{ agentId: agentflowId }} inherit>
                  {agentName}
                </TextLink>
              )}
            </th>
            <td data-number>{formatNumber(runs)}</td>
            <td data-number>{formatNumber(failures)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function LatestFailures({ failures }: { failures: Stats["latestFailures"] }) {
  if (failures.length === 0) return <Hint>{strings.noFailures}</Hint>;
  return (
    <ul className={classes.failures} aria-label={strings.latestFailures}>
      {failures.map(({ id, question, agentflow, error, updatedDate }) => (
        <li key={id}>
          <TextLink to="/executions/$executionId" params={{ executionId: id }} display="block">
            {question.trim() || strings.noQuestion}
          </TextLink>
          <Hint component="span" size="xs">
            {agentflow?.name ?? strings.deletedAgent} · <Moment at={updatedDate} />
          </Hint>
          {error !== null && <span className={classes.error}>{error.message}</span>}
        </li>
      ))}
    </ul>
  );
}
