import { Alert, Text, Title, VisuallyHidden } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { CallbackDelivery, ChatMessage, Execution, ExecutionSummary, MessageAction } from "@weft/client";
import { client } from "../../api/client.ts";
import { chatMessagesOfRunQuery, executionKeys, executionQuery } from "../../api/executions.ts";
import type { HumanReply } from "../../chat/index.ts";
import { HumanAnswer } from "../../chat/index.ts";
import type { LucideIcon } from "../../icons/create-icon.ts";
import {
  ArrowLeft,
  Ban,
  Check,
  CircleAlert,
  CircleSlash,
  Clock,
  RotateCcw,
  Trash2,
  TriangleAlert,
} from "../../icons/icons.gen.ts";
import { formatList } from "../../languages/index.ts";
import { chatStrings, executionStrings } from "../../strings.ts";
import { formatExactMoment } from "../../ui/content/format.ts";
import { Markdown } from "../../ui/content/markdown.tsx";
import { Action } from "../../ui/controls/actions.tsx";
import { LongText } from "../../ui/json/long-text.tsx";
import { type Column, DataTable } from "../../ui/list/list-page.tsx";
import { ConfirmDialog } from "../../ui/page/dialogs.tsx";
import { Loaded } from "../../ui/page/notices.tsx";
import { Page, StatusBadge, type StatusTone } from "../../ui/page/page.tsx";
import { useRequest } from "../../ui/page/requests.ts";
import { Hint } from "../../ui/text/hint.tsx";
import { DownloadTrace } from "./download-trace.tsx";
import { ErrorDetails } from "./error-details.tsx";
import { ExecutionFacts } from "./execution-facts.tsx";
import classes from "./execution-page.module.css";
import { Neighbours } from "./neighbours.tsx";
import { RunTimeline } from "./timeline/index.ts";

/** One run: its state, its questions, its steps on a time axis, and its messages. */
export function ExecutionPage() {
  const { executionId } = useParams({ from: "/executions/$executionId" });
  const search = useSearch({ from: "/executions/$executionId" });
  const query = useQuery(executionQuery(executionId));
  const { data } = query;
  return (
    <Page
      title={titleOf(data)}
      summary={
        <Link to="/executions" search={search} className={classes.back}>
          <ArrowLeft size={14} aria-hidden /> {executionStrings.back}
        </Link>
      }
      actions={
        data !== undefined && (
          <>
            <Neighbours executionId={executionId} search={search} />
            <DownloadTrace execution={data} />
            <ExecutionActions execution={data} />
          </>
        )
      }
    >
      <Loaded query={query} until={320}>
        {(execution) => <Run execution={execution} key={executionId} />}
      </Loaded>
    </Page>
  );
}

const longestTitle = 80;

/** The question of the run, shortened to fit the page title. */
function titleOf(execution: Execution | undefined): string {
  const question = execution?.question.trim() ?? "";
  if (question === "") return executionStrings.runTitle;
  return question.length > longestTitle ? `${question.slice(0, longestTitle)}…` : question;
}

type Given = { action: MessageAction; given: HumanReply };

function Run({ execution }: { execution: Execution }) {
  const answer = useRequest(
    ({ action: { id: waitId }, given: { type, feedback } }: Given) =>
      client.answerExecution({ id: execution.id }, { type, waitId, ...(feedback !== "" && { feedback }) }),
    { stale: [executionKeys.all], done: executionStrings.answered, isLoud: true },
  );
  const { action, text, error, warnings } = execution;
  const pause = waitText(execution);
  return (
    <div className={classes.run}>
      <ExecutionFacts execution={execution} />
      {action !== null && (
        <section className={classes.ask} aria-label={executionStrings.waitsTitle}>
          <Title order={2}>{executionStrings.waitsTitle}</Title>
          <div className={classes.question}>
            <Markdown text={text ?? ""} />
          </div>
          <HumanAnswer
            action={action}
            isDisabled={answer.isPending}
            onAnswer={(given) => answer.mutate({ action, given })}
          />
        </section>
      )}
      {pause !== undefined && (
        <Alert
          color="gray"
          variant="light"
          icon={<Clock size={18} aria-hidden />}
          title={action === null ? executionStrings.pausesTitle : undefined}
        >
          {pause}
        </Alert>
      )}
      <ErrorDetails error={error} />
      {warnings.length > 0 && (
        <Alert
          color="yellow"
          variant="light"
          icon={<TriangleAlert size={18} aria-hidden />}
          title={executionStrings.warningsTitle}
        >
          {warnings.map(({ message }) => (
            <div key={message}>{message}</div>
          ))}
        </Alert>
      )}
      <section aria-label={executionStrings.timeline}>
        <Title order={2} mb="sm">
          {executionStrings.timeline}
        </Title>
        <RunTimeline executionId={execution.id} />
      </section>
      <section aria-label={executionStrings.messages}>
        <Title order={2} mb="sm">
          {executionStrings.messages}
        </Title>
        <ExecutionMessages execution={execution} />
      </section>
      <ExecutionCallbacks execution={execution} />
    </div>
  );
}

/** Actions for a run in its current state: an active run must be cancelled before it can be deleted. */
function ExecutionActions({ execution: { id, state } }: { execution: Execution }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const outcome = { stale: [executionKeys.all], isLoud: true };
  const cancel = useRequest(() => client.cancelExecution({ id }), { ...outcome, done: executionStrings.cancelled });
  const retry = useRequest(() => client.retryExecution({ id }), {
    ...outcome,
    done: executionStrings.retried,
    next: (begun) => navigate({ to: "/executions/$executionId", params: { executionId: begun.id } }),
  });
  const remove = async () => {
    await client.deleteExecution({ id });
    await navigate({ to: "/executions" });
    queries.removeQueries({ queryKey: executionKeys.one(id) });
  };
  const [isAsking, { open, close }] = useDisclosure(false);
  if (state === "INPROGRESS" || state === "STOPPED") {
    return <Action icon={CircleSlash} label={executionStrings.cancel} runs={cancel} />;
  }
  return (
    <>
      <Action icon={Trash2} label={executionStrings.delete} onClick={open} />
      {(state === "ERROR" || state === "TIMEOUT") && (
        <Action icon={RotateCcw} label={executionStrings.retry} variant="filled" runs={retry} />
      )}
      <ConfirmDialog
        opened={isAsking}
        title={executionStrings.deleteTitle}
        cancelLabel={executionStrings.keep}
        confirmLabel={executionStrings.deleteConfirm}
        onConfirm={remove}
        stale={[executionKeys.all]}
        done={executionStrings.deleted}
        onClose={close}
      >
        {executionStrings.deleteText}
      </ConfirmDialog>
    </>
  );
}

const refreshMs = 3_000;
/** A delivery is made about a second after the run waits or ends: so often none is found before none is expected. */
const patientReads = 5;
/** A run tells its callback address when it waits and when it ends. */
const most = 100;

const callbackKey = (executionId: string) => ["callbacks", executionId] as const;

/** Deliveries to a run's callback address. Refetched while any delivery is pending or may be added. */
const callbacksQuery = ({ id, agentflow, state }: Execution) =>
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

const signs: Record<CallbackDelivery["state"], { tone: StatusTone; icon: LucideIcon }> = {
  PENDING: { tone: "attention", icon: Clock },
  DELIVERED: { tone: "good", icon: Check },
  FAILED: { tone: "bad", icon: CircleAlert },
  STOPPED: { tone: "plain", icon: Ban },
};

/** The messages that a run sent to its callback address, and their state. Renders nothing for a run without one. */
function ExecutionCallbacks({ execution }: { execution: Execution }) {
  const { data } = useQuery(callbacksQuery(execution));
  if (data === undefined || data.data.length === 0) return null;
  return (
    <div>
      <Title order={2} mb="sm">
        {executionStrings.callbacks}
      </Title>
      <DataTable
        label={executionStrings.callbacks}
        columns={toCallbackColumns(execution.agentflow?.id ?? "")}
        rows={data.data}
        idOf={({ id }) => id}
      />
    </div>
  );
}

function toCallbackColumns(agentId: string): Column<CallbackDelivery>[] {
  return [
    {
      key: "address",
      header: executionStrings.callbackAddress,
      cell: ({ url, error }) => (
        <>
          <Text size="sm">{url}</Text>
          {error !== null && <Hint>{error}</Hint>}
        </>
      ),
    },
    {
      key: "state",
      header: executionStrings.columnState,
      isNarrow: true,
      cell: ({ state }) => <StatusBadge {...signs[state]}>{executionStrings.callbackStates[state]}</StatusBadge>,
    },
    {
      key: "attempts",
      header: executionStrings.callbackAttempts,
      cell: ({ attempts, attemptDate, nextDate }) => (
        <>
          <Text size="sm">{attempts}</Text>
          {attemptDate !== null && (
            <Hint size="xs">{executionStrings.callbackLast({ moment: formatExactMoment(attemptDate) })}</Hint>
          )}
          {nextDate !== null && (
            <Hint size="xs">{executionStrings.callbackNext({ moment: formatExactMoment(nextDate) })}</Hint>
          )}
        </>
      ),
    },
    {
      key: "resend",
      header: <VisuallyHidden>{executionStrings.callbackResend}</VisuallyHidden>,
      isNarrow: true,
      cell: (delivery) => <ResendButton delivery={delivery} agentId={agentId} />,
    },
  ];
}

function ResendButton({ delivery, agentId }: { delivery: CallbackDelivery; agentId: string }) {
  const { id, executionId } = delivery;
  const resend = useRequest(() => client.resendCallbackDelivery({ id: agentId, deliveryId: id }), {
    stale: [callbackKey(executionId)],
    done: executionStrings.callbackSentAgain,
    isLoud: true,
  });
  return <Action label={executionStrings.callbackResend} size="xs" runs={resend} />;
}

function ExecutionMessages({ execution }: { execution: Execution }) {
  return (
    <Loaded query={useQuery(chatMessagesOfRunQuery(execution))} until={72}>
      {(messages) =>
        messages.length === 0 ? (
          <Hint>{executionStrings.noMessages}</Hint>
        ) : (
          <ol className={classes.messages}>
            {messages.map((message) => (
              <Message key={message.id} message={message} />
            ))}
          </ol>
        )
      }
    </Loaded>
  );
}

/** A longer message is shown as it was written, and in part at first: as Markdown it would hold up the page. */
const longestMarkdown = 20_000;

function Message({ message: { role, content, createdDate } }: { message: ChatMessage }) {
  const isUser = role === "userMessage";
  return (
    <li className={classes.message} data-role={role}>
      <div className={classes.head}>
        <strong>{isUser ? chatStrings.you : chatStrings.agent}</strong> {formatExactMoment(createdDate)}
      </div>
      {isUser || content.length > longestMarkdown ? (
        <LongText text={content} limit={longestMarkdown} className={classes.plain} />
      ) : (
        <Markdown text={content} />
      )}
    </li>
  );
}

type Waiting = Pick<ExecutionSummary, "waitsUntil" | "waitsForSignals">;

/** When a run continues without an answer, in the reader's time zone; undefined when it does not. */
export function waitText({ waitsUntil, waitsForSignals }: Waiting): string | undefined {
  if (waitsUntil === null && waitsForSignals.length === 0) return undefined;
  const moment = waitsUntil === null ? undefined : formatExactMoment(waitsUntil);
  const { text, at, signals } = executionStrings.continues;
  const ways = [
    ...(moment === undefined ? [] : [at({ moment })]),
    ...(waitsForSignals.length === 0
      ? []
      : [signals({ count: waitsForSignals.length, signals: formatList(waitsForSignals, "disjunction") })]),
  ];
  return text({ ways: formatList(ways, "disjunction") });
}
