import { Button, Table, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { CallbackDelivery, Execution } from "@weft/client";
import { Ban, Check, CircleAlert, Clock, type LucideIcon } from "lucide-react";
import { callbackKey, callbacksQuery } from "../../api/callbacks.ts";
import { client } from "../../api/client.ts";
import { errorSentence } from "../../api/error-sentence.ts";
import { StatusBadge, type StatusTone } from "../../components/status-badge.tsx";
import { executionStrings } from "../../strings/executions.ts";
import { formatExactMoment } from "../../trace/format-moment.ts";

const signs: Record<CallbackDelivery["state"], { tone: StatusTone; icon: LucideIcon }> = {
  PENDING: { tone: "attention", icon: Clock },
  DELIVERED: { tone: "good", icon: Check },
  FAILED: { tone: "bad", icon: CircleAlert },
  STOPPED: { tone: "plain", icon: Ban },
};

/** The messages that a run sent to its callback address, and their state. Renders nothing for a run without one. */
export function ExecutionCallbacks({ execution }: { execution: Execution }) {
  const { data } = useQuery(callbacksQuery(execution));
  if (data === undefined || data.data.length === 0) return null;
  return (
    <section aria-label={executionStrings.callbacks}>
      <Title order={2} mb="sm">
        {executionStrings.callbacks}
      </Title>
      <Table.ScrollContainer minWidth={640}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{executionStrings.callbackAddress}</Table.Th>
              <Table.Th>{executionStrings.columnState}</Table.Th>
              <Table.Th>{executionStrings.callbackAttempts}</Table.Th>
              <Table.Td />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.data.map((delivery) => (
              <Row key={delivery.id} delivery={delivery} agentId={execution.agentflow?.id ?? ""} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  );
}

function Row({ delivery, agentId }: { delivery: CallbackDelivery; agentId: string }) {
  const { id, url, state, attempts, error, attemptDate, nextDate, executionId } = delivery;
  const queryClient = useQueryClient();
  const resend = useMutation({
    mutationFn: () => client.resendCallbackDelivery({ id: agentId, deliveryId: id }),
    onSuccess: () => {
      notifications.show({ message: executionStrings.callbackSentAgain });
      return queryClient.invalidateQueries({ queryKey: callbackKey(executionId) });
    },
    onError: (cause) => notifications.show({ color: "red", message: errorSentence(cause) }),
  });
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {url}
        </Text>
        {error !== null && (
          <Text size="sm" c="dimmed">
            {error}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <StatusBadge {...signs[state]}>{executionStrings.callbackStates[state]}</StatusBadge>
      </Table.Td>
      <Table.Td>
        <Text size="sm">{attempts}</Text>
        {attemptDate !== null && (
          <Text size="xs" c="dimmed">
            {executionStrings.callbackLast(formatExactMoment(attemptDate))}
          </Text>
        )}
        {nextDate !== null && (
          <Text size="xs" c="dimmed">
            {executionStrings.callbackNext(formatExactMoment(nextDate))}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Button size="xs" variant="default" loading={resend.isPending} onClick={() => resend.mutate()}>
          {executionStrings.callbackResend}
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}
