import { waitFor } from "../house/wait-for.ts";
import { createAgent, noteRun, type PlayerOptions } from "./player.ts";

const flow = JSON.stringify({
  weft: 1,
  nodes: [
    {
      id: "start_0",
      type: "start",
      config: { input: "schedule", schedule: { cron: "*/2 * * * * *", question: "Now?" } },
    },
    { id: "reply_0", type: "direct-reply", config: { message: "{{ question }}" } },
  ],
  edges: [{ id: "e", source: "start_0", target: "reply_0" }],
});

type Log = { executionId: string | null; status: string; scheduledDate: string; error: string | null };

/** Taken, and its run has not begun: a process that was killed between the two leaves it to another one. */
const isAboutToBegin = ({ executionId, status }: Log) => executionId === null && status === "RUNNING";

/** An agent that is due every two seconds: each moment begins one run, no matter which servers are running. */
export const schedules: PlayerOptions = {
  name: "schedules",
  // It goes by itself.
  weight: 0,
  async prepare(world) {
    const { cluster } = world;
    const agentId = await createAgent(world, "Due", flow);
    const switchTo = (enabled: boolean) => cluster.call("PATCH", `/chatflows/${agentId}/schedule/enabled`, { enabled });
    let since = new Date().toISOString();
    return {
      play: async () => undefined,
      async collect() {
        await switchTo(false);
        const own = await waitFor(
          world.client,
          async () => {
            const { data } = await cluster.call<{ data: Log[] }>(
              "GET",
              `/chatflows/${agentId}/schedule/trigger-logs?limit=100`,
            );
            const due = data.filter(({ scheduledDate }) => scheduledDate > since);
            return due.some(isAboutToBegin) ? undefined : due;
          },
          "A scheduled run did not begin",
        );
        const moments = Map.groupBy(own, ({ scheduledDate }) => scheduledDate);
        for (const [moment, logs] of moments) {
          world.facts.onlyOnce.push({ what: `The schedule's moment ${moment}`, times: logs.length });
        }
        for (const { executionId, status, error } of own) {
          if (executionId !== null) noteRun(world, "schedules", executionId);
          else if (status !== "SKIPPED") world.facts.odd.push(`A scheduled run did not begin: ${status} ${error}`);
        }
        since = new Date().toISOString();
        await switchTo(true);
      },
    };
  },
};
