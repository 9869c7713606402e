import { Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Agent } from "@weft/client";
import { agentKeys, schedulesQuery } from "../../../api/agents.ts";
import { client } from "../../../api/client.ts";
import { useMay } from "../../../api/settings.ts";
import { agentsStrings } from "../../../strings.ts";
import { formatExactMoment, formatMoment } from "../../../ui/content/format.ts";
import { useRequest } from "../../../ui/page/requests.ts";
import { Hint } from "../../../ui/text/hint.tsx";
import classes from "../agents.module.css";

type Props = { agent: Pick<Agent, "id" | "name"> /** Whether no heading says what it is. */; isAlone?: boolean };

/** When the schedule of an agent is due next, with its switch. Renders nothing for an agent without one. */
export function NextRun({ agent: { id, name }, isAlone = false }: Props) {
  const { data } = useQuery(schedulesQuery);
  const mayWrite = useMay()("agents:write");
  const choice = useRequest((enabled: boolean) => client.setScheduleEnabled({ id }, { enabled }), {
    stale: [schedulesQuery.queryKey, agentKeys.one(id)],
    isLoud: true,
  });
  const schedule = data?.get(id);
  if (schedule === undefined) return null;
  const { enabled, nextRunDate } = schedule;
  const moment = nextRunDate === null ? undefined : formatMoment(nextRunDate);
  return (
    <div className={classes.nextRun}>
      <Switch
        size="xs"
        aria-label={agentsStrings.scheduleSwitch({ name })}
        checked={choice.isPending ? choice.variables : enabled}
        disabled={!mayWrite || choice.isPending}
        onChange={(event) => choice.mutate(event.currentTarget.checked)}
      />
      <Hint size="xs" title={nextRunDate === null ? undefined : formatExactMoment(nextRunDate)}>
        {moment === undefined ? agentsStrings.scheduleOff : isAlone ? agentsStrings.nextRunAt({ moment }) : moment}
      </Hint>
    </div>
  );
}
