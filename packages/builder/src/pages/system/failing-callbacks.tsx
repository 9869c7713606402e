import { Text, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { System } from "@weft/client";
import { useState } from "react";
import { client, errorSentence } from "../../api/client.ts";
import { systemKeys } from "../../api/settings.ts";
import type { LucideIcon } from "../../icons/create-icon.ts";
import { Ban, Check, CircleAlert, Clock, Send } from "../../icons/icons.gen.ts";
import { formatNumber } from "../../languages/index.ts";
import { systemStrings as strings } from "../../strings.ts";
import { formatMoment } from "../../ui/content/format.ts";
import { Action } from "../../ui/controls/actions.tsx";
import { TextLink } from "../../ui/controls/links.tsx";
import { StatusBadge, type StatusTone } from "../../ui/page/page.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import { Sentence } from "../../ui/text/sentence.tsx";
import classes from "./system.module.css";

type Callbacks = System["callbacks"];
type Callback = Callbacks["list"][number];

/** Callbacks that were not delivered. One that was sent again from here stays, with what became of it. */
export function FailingCallbacks({ list, failing }: Callbacks) {
  const [kept, setKept] = useState<readonly Callback[]>([]);
  const keep = (callback: Callback) =>
    setKept((others) => [...others.filter(({ id }) => id !== callback.id), callback]);
  const listed = new Set(list.map(({ id }) => id));
  const shown = [...kept.filter(({ id }) => !listed.has(id)), ...list];
  return (
    <section className={classes.section} aria-label={strings.failing}>
      <Title order={2}>{strings.failing}</Title>
      {shown.length === 0 ? (
        <p className={classes.quiet}>{strings.callbacksEmpty}</p>
      ) : (
        <>
          <Hint>
            {strings.callbacksText}{" "}
            {failing > list.length && strings.callbacksMore({ shown: list.length, all: toFailingCount(failing) })}
          </Hint>
          <ul className={classes.callbacks}>
            {shown.map((callback) => (
              <CallbackItem key={callback.id} callback={callback} onSend={() => keep(callback)} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** What the server counts at most. */
const mostCounted = 1_000;

export function toFailingCount(failing: number): string {
  return failing < mostCounted ? String(failing) : strings.moreThan({ count: formatNumber(mostCounted) });
}

function CallbackItem({ callback, onSend }: { callback: Callback; onSend: () => void }) {
  const { agentName, agentflowId, executionId, host, error, attempts, attemptDate, nextDate, state } = callback;
  const agent = agentName ?? strings.unnamedAgent;
  const facts = [
    strings.attempts({ count: attempts }),
    attemptDate !== null && strings.last({ moment: formatMoment(attemptDate) }),
    state === "FAILED" ? strings.givenUp : nextDate !== null && strings.next({ moment: formatMoment(nextDate) }),
  ];
  return (
    <li className={classes.callback}>
      <div className={classes.about}>
        <div>
          <Sentence text={(name) => strings.sentTo({ agent: name, host })}>
            <TextLink to="/agents/$agentId" params={{ agentId: agentflowId }} inherit fw={500} underline="always">
              {agent}
            </TextLink>
          </Sentence>
        </div>
        <Hint>{error}</Hint>
        <Hint size="xs" component="div">
          {facts.filter(Boolean).join(" · ")} ·{" "}
          <TextLink to="/executions/$executionId" params={{ executionId }} inherit underline="always">
            {strings.openRun}
          </TextLink>
        </Hint>
      </div>
      <SendAgain callback={callback} name={strings.sendAgainTo({ agent, host })} onSend={onSend} />
    </li>
  );
}

type SendAgainProps = { callback: Callback; name: string; onSend: () => void };

function SendAgain({ callback, name, onSend }: SendAgainProps) {
  const queries = useQueryClient();
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => sendAgain(callback),
    onMutate: onSend,
    onSettled: () => queries.invalidateQueries({ queryKey: systemKeys.all }),
  });
  const outcome = data && outcomes[data];
  return (
    <div className={classes.outcome}>
      <span role="status">
        {outcome && !isPending && (
          <StatusBadge tone={outcome.tone} icon={outcome.icon}>
            {outcome.text}
          </StatusBadge>
        )}
        {error !== null && !isPending && (
          <Text size="sm" c="var(--mantine-color-error)">
            {errorSentence(error)}
          </Text>
        )}
        {isPending && <Hint>{strings.sending}</Hint>}
      </span>
      {data !== "delivered" && (
        <Action icon={Send} label={strings.sendAgain} size="xs" aria-label={name} runs={{ mutate, isPending }} />
      )}
    </div>
  );
}

type Outcome = "delivered" | "failed" | "stopped" | "under-way";

const outcomes: Record<Outcome, { tone: StatusTone; icon: LucideIcon; text: string }> = {
  delivered: { tone: "good", icon: Check, text: strings.delivered },
  failed: { tone: "bad", icon: CircleAlert, text: strings.failedAgain },
  stopped: { tone: "plain", icon: Ban, text: strings.stopped },
  "under-way": { tone: "attention", icon: Clock, text: strings.underWay },
};

const lookEveryMs = 500;
/** Longer than a receiver may take, and the process to find it. */
const lookTimes = 30;
const mostOfRun = 100;

/** Sends a callback again, and waits for what its receiver says. */
async function sendAgain({ agentflowId: id, id: deliveryId, executionId }: Callback): Promise<Outcome> {
  await client.resendCallbackDelivery({ id, deliveryId });
  for (let look = 0; look < lookTimes; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    const { data } = await client.listCallbackDeliveries({ id, executionId, limit: mostOfRun });
    const delivery = data.find((one) => one.id === deliveryId);
    if (delivery?.state === "DELIVERED") return "delivered";
    if (delivery?.state === "STOPPED") return "stopped";
    if (delivery === undefined || delivery.error !== null) return "failed";
  }
  return "under-way";
}
