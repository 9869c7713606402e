import { queryOptions } from "@tanstack/react-query";
import type { Execution } from "@weft/client";
import { client } from "./client.ts";

const refreshMs = 3_000;
/** A delivery is made about a second after the run waits or ends: so often none is found before none is expected. */
const patientReads = 5;
/** A run tells its callback address when it waits and when it ends. */
const most = 100;

export const callbackKey = (executionId: string) => ["callbacks", executionId] as const;

/** Deliveries to a run's callback address. Refetched while any delivery is pending or may be added. */
export const callbacksQuery = ({ id, agentflow, state }: Pick<Execution, "id" | "agentflow" | "state">) =>
  queryOptions({
    queryKey: [...callbackKey(id), state],
    enabled: agentflow !== null,
    queryFn: ({ signal }) =>
      client.listCallbackDeliveries({ id: agentflow?.id ?? "", executionId: id, limit: most }, { signal }),
    refetchInterval: ({ state: { data, dataUpdateCount } }) => {
      const deliveries = data?.data ?? [];
      const isExpected = deliveries.length === 0 && dataUpdateCount < patientReads;
      return isExpected || deliveries.some((delivery) => delivery.state === "PENDING") ? refreshMs : false;
    },
  });
