import { Alert, Badge, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { System } from "@weft/client";
import type { ReactNode } from "react";
import { errorSentence } from "../../api/client.ts";
import { isForbidden, systemQuery } from "../../api/settings.ts";
import { CloudOff, LockKeyhole, TriangleAlert } from "../../icons/icons.gen.ts";
import { formatList, formatNumber } from "../../languages/index.ts";
import { commonStrings, systemStrings as strings } from "../../strings.ts";
import { formatDuration, formatSize, formatTimeOfDay, toAgo, toSecondsAgo } from "../../ui/content/format.ts";
import { TextLink } from "../../ui/controls/links.tsx";
import { ListBody } from "../../ui/page/notices.tsx";
import { EmptyState, Page } from "../../ui/page/page.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import { FailingCallbacks, toFailingCount } from "./failing-callbacks.tsx";
import classes from "./system.module.css";

/** What an operator wants to know of the whole installation; it refreshes itself. */
export function SystemPage() {
  const query = useQuery(systemQuery);
  const { data, error, dataUpdatedAt } = query;
  if (isForbidden(error)) {
    return (
      <Page title={strings.title}>
        <EmptyState icon={LockKeyhole} title={strings.forbiddenTitle} text={strings.forbiddenText} />
      </Page>
    );
  }
  const isStale = data !== undefined && error !== null;
  const time = formatTimeOfDay(dataUpdatedAt);
  const freshness = data && (
    <span className={classes.freshness} data-stale={isStale || undefined}>
      {strings.updated({ time })}
    </span>
  );
  return (
    <Page title={strings.title} summary={strings.summary} actions={freshness}>
      {isStale && (
        <Alert
          color="yellow"
          icon={<CloudOff size={18} aria-hidden />}
          title={strings.staleTitle({ time })}
          role="alert"
          data-testid="stale"
        >
          {strings.staleText({ reason: errorSentence(error) })}
        </Alert>
      )}
      <ListBody query={query} rowHeight={96}>
        {(system) => <Installation system={system} />}
      </ListBody>
    </Page>
  );
}

type SystemProps = { system: System };

function Installation({ system }: SystemProps) {
  return (
    <>
      <Warnings system={system} />
      <Tiles system={system} />
      <FailingCallbacks {...system.callbacks} />
      <Processes system={system} />
      <Queue system={system} />
      <Storage system={system} />
    </>
  );
}

function Warnings({ system: { processes } }: SystemProps) {
  const versions = [...new Set(processes.map(({ version }) => version))];
  const worksOnRuns = processes.some(({ role }) => role !== "api");
  return (
    <>
      {!worksOnRuns && <Warning title={strings.noWorkerTitle}>{strings.noWorkerText}</Warning>}
      {versions.length > 1 && (
        <Warning title={strings.versionsTitle}>{strings.versionsText({ versions: formatList(versions) })}</Warning>
      )}
    </>
  );
}

function Warning({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Alert color="yellow" icon={<TriangleAlert size={18} aria-hidden />} title={title}>
      {children}
    </Alert>
  );
}

/** As the alert `WeftRunsWaiting` sees it. */
const longWaitSeconds = 60;

function Tiles({ system: { queue, processes, takeOvers, callbacks } }: SystemProps) {
  const places = processes.reduce((sum, { maxRuns }) => sum + (maxRuns ?? 0), 0);
  const { latest } = takeOvers;
  return (
    <dl className={classes.tiles}>
      <Tile
        name={strings.waiting}
        value={formatNumber(queue.waiting)}
        tone={queue.oldestWaitingSeconds > longWaitSeconds ? "attention" : undefined}
        note={
          queue.waiting === 0
            ? strings.nothingWaits
            : strings.oldest({ age: formatDuration(queue.oldestWaitingSeconds * 1_000) })
        }
      />
      <Tile
        name={strings.running}
        value={formatNumber(queue.running)}
        note={strings.places({ count: formatNumber(places) })}
      />
      <Tile name={strings.paused} value={formatNumber(queue.paused)} note={strings.pausedNote} />
      <Tile
        name={strings.takeOvers}
        value={formatNumber(takeOvers.runs)}
        tone={takeOvers.runs > 0 ? "attention" : undefined}
        note={
          latest === null ? (
            takeOvers.runs === 0 && strings.noTakeOvers
          ) : (
            <RunLink id={latest.executionId}>
              {strings.latestTakeOver({ ago: toAgo(Date.parse(latest.updatedDate), Date.now()) })}
            </RunLink>
          )
        }
      />
      <Tile
        name={strings.failing}
        value={toFailingCount(callbacks.failing)}
        tone={callbacks.failing > 0 ? "bad" : undefined}
        note={callbacks.failing === 0 && strings.noneFailing}
      />
    </dl>
  );
}

type Tone = "attention" | "bad" | undefined;
type TileProps = { name: string; value: string; note: ReactNode; tone?: Tone };

function Tile({ name, value, note, tone }: TileProps) {
  return (
    <div className={classes.tile}>
      <dt>{name}</dt>
      <dd className={classes.number} data-tone={tone}>
        {value}
      </dd>
      {note !== false && <dd className={classes.note}>{note}</dd>}
    </div>
  );
}

function RunLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <TextLink to="/executions/$executionId" params={{ executionId: id }} inherit>
      {children}
    </TextLink>
  );
}

type TableProps = { title: string; children: ReactNode };

/** A heading, and a table: on phones its rows are cards, elsewhere it scrolls by itself where it is too wide. */
function TableSection({ title, children }: TableProps) {
  return (
    <div className={classes.section}>
      <Title order={2}>{title}</Title>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that is wider than the page is scrolled by keyboard, too. */}
      <section className={classes.frame} tabIndex={0} aria-label={title}>
        <table className={classes.table} aria-label={title} data-stacks>
          {children}
        </table>
      </section>
    </div>
  );
}

function Processes({ system: { processes } }: SystemProps) {
  return (
    <TableSection title={strings.processes}>
      <thead>
        <tr>
          <th scope="col">{strings.process}</th>
          <th scope="col">{strings.role}</th>
          <th scope="col" data-secondary>
            {strings.version}
          </th>
          <th scope="col" data-number>
            {strings.runs}
          </th>
          <th scope="col" data-number data-secondary>
            {strings.memory}
          </th>
          <th scope="col" data-number data-secondary>
            {strings.up}
          </th>
          <th scope="col" data-number>
            {strings.seen}
          </th>
        </tr>
      </thead>
      <tbody>
        {processes.map((one) => (
          <ProcessRow key={one.id} process={one} />
        ))}
      </tbody>
    </TableSection>
  );
}

function ProcessRow({ process }: { process: System["processes"][number] }) {
  const { host, pid, role, version, runs, maxRuns, memoryBytes, startedDate, seenSecondsAgo, answered } = process;
  return (
    <tr>
      <th scope="row">
        {host}
        <Hint size="xs">
          {strings.pid({ pid })}
          {answered && ` · ${strings.answered}`}
        </Hint>
      </th>
      <td data-label={strings.role}>
        <Badge variant="light" color="gray">
          {role}
        </Badge>
      </td>
      <td data-secondary>{version}</td>
      <td data-number data-label={strings.runs}>
        {maxRuns === null ? runs : strings.runsOf({ runs, places: maxRuns })}
      </td>
      <td data-number data-secondary>
        {formatSize(memoryBytes)}
      </td>
      <td data-number data-secondary>
        {formatDuration(Date.now() - Date.parse(startedDate))}
      </td>
      <td data-number data-label={strings.seen}>
        {answered ? strings.now : toSecondsAgo(seenSecondsAgo)}
      </td>
    </tr>
  );
}

function Queue({ system }: SystemProps) {
  const { agents } = system.queue;
  if (agents.length === 0) {
    return (
      <section className={classes.section} aria-label={strings.queue}>
        <Title order={2}>{strings.queue}</Title>
        <p className={classes.quiet}>{strings.queueEmpty}</p>
      </section>
    );
  }
  return (
    <TableSection title={strings.queue}>
      <thead>
        <tr>
          <th scope="col">{strings.agent}</th>
          <th scope="col" data-number>
            {strings.waiting}
          </th>
          <th scope="col" data-number>
            {strings.running}
          </th>
        </tr>
      </thead>
      <tbody>
        {agents.map(({ agentflowId, agentName, waiting, running }) => (
          <tr key={agentflowId}>
            <th scope="row">
              {agentName === null ? (
                strings.unnamedAgent
              ) : (
                <TextLink to="/agents/$agentId" params={{ agentId: agentflowId }} inherit>
                  {agentName}
                </TextLink>
              )}
            </th>
            <td data-number data-label={strings.waiting}>
              {formatNumber(waiting)}
            </td>
            <td data-number data-label={strings.running}>
              {formatNumber(running)}
            </td>
          </tr>
        ))}
      </tbody>
    </TableSection>
  );
}

/** Less than this part of a disk, or of the connections, is little. */
const littleLeft = 0.1;

function Storage({ system: { database, redis, disk, vectorIndex } }: SystemProps) {
  const { dialect, version, sizeBytes, latencyMs, connections } = database;
  const total = disk === null ? 0 : disk.freeBytes + disk.usedBytes;
  const isDiskFull = disk !== null && disk.freeBytes < littleLeft * total;
  const isPoolFull = connections !== null && connections.used > (1 - littleLeft) * connections.limit;
  return (
    <section className={classes.section} aria-label={strings.storage}>
      <Title order={2}>{strings.storage}</Title>
      <dl className={classes.facts}>
        <StorageFact name={strings.database} value={`${strings.dialects[dialect]} ${version}`} />
        <StorageFact name={strings.size} value={formatSize(sizeBytes)} />
        <StorageFact name={strings.latency} value={`${formatNumber(latencyMs)} ${commonStrings.units.ms}`} />
        {connections !== null && (
          <StorageFact
            name={strings.connections}
            value={strings.connectionsOf({ used: connections.used, limit: connections.limit })}
            tone={isPoolFull ? "attention" : undefined}
          />
        )}
        <StorageFact
          name={strings.redis}
          value={strings.redisStates[redis]}
          tone={redis === "unreachable" ? "bad" : undefined}
        />
        <StorageFact
          name={strings.disk}
          value={
            disk === null
              ? strings.unknown
              : strings.diskFree({ free: formatSize(disk.freeBytes), total: formatSize(total) })
          }
          tone={isDiskFull ? "attention" : undefined}
        />
        <StorageFact name={strings.vectorIndex} value={toVectorIndexText(vectorIndex)} />
      </dl>
    </section>
  );
}

function toVectorIndexText({ memoryBytes, limitBytes, collections, loading }: System["vectorIndex"]): string {
  const [used, limit] = [formatSize(memoryBytes), formatSize(limitBytes)];
  if (loading !== null) {
    const percent = Math.floor((100 * loading.done) / Math.max(1, loading.total));
    return strings.vectorsLoading({ percent: formatNumber(percent), used, limit });
  }
  return collections === 0 ? strings.noVectors({ limit }) : strings.vectorsHeld({ used, limit, collections });
}

function StorageFact({ name, value, tone }: { name: string; value: string; tone?: Tone }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={classes.value} data-tone={tone}>
        {value}
      </dd>
    </div>
  );
}
