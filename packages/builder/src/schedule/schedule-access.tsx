import { Group, List, Stack, Switch, Text } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ScheduleLog } from "@weft/client";
import { lazy, Suspense, useState } from "react";
import { agentKeys } from "../api/agents.ts";
import { client } from "../api/client.ts";
import { useMay } from "../api/settings.ts";
import { scheduleStrings as strings } from "../strings.ts";
import { formatExactMoment } from "../ui/content/format.ts";
import { TextLink } from "../ui/controls/links.tsx";
import { Loaded } from "../ui/page/notices.tsx";
import { useRequest } from "../ui/page/requests.ts";
import { Hint } from "../ui/text/hint.tsx";

const NextRuns = lazy(async () => ({ default: (await import("./next-runs.tsx")).NextRuns }));

const shownFirings = 5;

const scheduleKey = (agentId: string) => [...agentKeys.one(agentId), "schedule"];

const scheduleQuery = (id: string) =>
  queryOptions({
    queryKey: scheduleKey(id),
    queryFn: async ({ signal }) => {
      const [status, logs] = await Promise.all([
        client.getScheduleStatus({ id }, { signal }),
        client.listScheduleLogs({ id, limit: shownFirings }, { signal }),
      ]);
      return { ...status, firings: logs.data };
    },
  });

/** The published schedule of an agent: its switch, when it is due next, and what came of the last times. */
export function ScheduleAccess({ agentId }: { agentId: string }) {
  const schedule = useQuery(scheduleQuery(agentId));
  const mayWrite = useMay()("agents:write");
  // Shown until the server has answered, so that the switch stays where it was put.
  const [chosen, setChosen] = useState<boolean>();
  const choice = useRequest((enabled: boolean) => client.setScheduleEnabled({ id: agentId }, { enabled }), {
    stale: [scheduleKey(agentId)],
    isLoud: true,
  });
  const choose = (next: boolean) => {
    setChosen(next);
    choice.mutate(next, { onSettled: () => setChosen(undefined) });
  };
  return (
    <Loaded query={schedule} until={160}>
      {({ enabled, canEnable, reason, record, firings }) => (
        <Stack gap="sm" component="section" aria-label={strings.title}>
          <Switch
            label={strings.enabled}
            description={canEnable ? strings.published : reason}
            checked={chosen ?? enabled}
            disabled={!mayWrite || choice.isPending || (!enabled && !canEnable)}
            onChange={(event) => choose(event.currentTarget.checked)}
          />
          {enabled && record !== null && (
            <Suspense fallback={null}>
              <NextRuns cron={record.cron} timeZone={record.timeZone} endDate={record.endDate ?? undefined} />
            </Suspense>
          )}
          <Firings firings={firings} />
        </Stack>
      )}
    </Loaded>
  );
}

function Firings({ firings }: { firings: readonly ScheduleLog[] }) {
  if (firings.length === 0) return <Hint size="xs">{strings.neverRan}</Hint>;
  return (
    <div>
      <Text size="sm" fw={500}>
        {strings.last}
      </Text>
      <List size="sm" listStyleType="none" aria-label={strings.last}>
        {firings.map(({ id, executionId, status, scheduledDate, error }) => (
          <List.Item key={id}>
            <Group gap="xs">
              {executionId === null ? (
                formatExactMoment(scheduledDate)
              ) : (
                <TextLink to="/executions/$executionId" params={{ executionId }}>
                  {formatExactMoment(scheduledDate)}
                </TextLink>
              )}
              <Hint size="xs">{error ?? strings.statuses[status]}</Hint>
            </Group>
          </List.Item>
        ))}
      </List>
    </div>
  );
}
