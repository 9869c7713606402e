import { Title, VisuallyHidden } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { client, isApiError } from "../../api/client.ts";
import { executionKeys, waitingPerPage, waitingQuery } from "../../api/executions.ts";
import { HumanAnswer, type HumanReply } from "../../chat/index.ts";
import { ArrowRight, Check, Info } from "../../icons/icons.gen.ts";
import { commonStrings, inboxStrings } from "../../strings.ts";
import { Markdown } from "../../ui/content/markdown.tsx";
import { Moment } from "../../ui/content/time.tsx";
import { TextLink } from "../../ui/controls/links.tsx";
import { PageTurner } from "../../ui/list/list-page.tsx";
import { ErrorNotice, ListBody } from "../../ui/page/notices.tsx";
import { Page } from "../../ui/page/page.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import { Sentence } from "../../ui/text/sentence.tsx";
import classes from "./inbox.module.css";
import type { InboxEntry, Outcome } from "./inbox-entries.ts";
import { type InboxPageData, leave, refreshEntries } from "./inbox-entries.ts";

/** What runs ask people, the most recent question first, with the answer in place. */
export function InboxPage() {
  const [page, setPage] = useState(1);
  const query = useQuery(waitingQuery(page));
  const { data, error, refetch, isPlaceholderData } = query;
  const isStale = data !== undefined && error !== null;
  return (
    <Page title={inboxStrings.title} summary={inboxStrings.summary}>
      {isStale && <ErrorNotice error={error} title={inboxStrings.stale} onRetry={() => void refetch()} />}
      <ListBody query={query} rowHeight={148}>
        {(waiting) => (
          <>
            {/* Until another page has come, the previous one stays. */}
            {!isPlaceholderData && <Questions key={page} page={page} data={waiting.data} total={waiting.total} />}
            <Pages page={page} total={waiting.total} onPage={setPage} />
          </>
        )}
      </ListBody>
    </Page>
  );
}

function Questions({ page, data, total }: InboxPageData) {
  const { entries, settle } = useEntries({ page, data, total });
  const news = entries.flatMap(({ left }) => left ?? []).toSorted((a, b) => a.untilMs - b.untilMs);
  const last = news.at(-1);
  return (
    <section className={classes.inbox} aria-label={inboxStrings.list} tabIndex={-1} data-inbox>
      <VisuallyHidden role="status">{last === undefined ? "" : outcomeText(last.outcome)}</VisuallyHidden>
      {entries.length === 0 && total === 0 && <NothingWaits />}
      {entries.length > 0 && (
        <ul className={classes.rows}>
          {entries.map((entry) => (
            <InboxRow key={entry.key} entry={entry} onLeave={(outcome) => settle(entry.key, outcome)} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** What is shown of a page as it is refreshed. Outcomes go after some seconds. */
function useEntries(fresh: InboxPageData) {
  const [seen, setSeen] = useState<readonly unknown[]>();
  const [entries, setEntries] = useState<readonly InboxEntry[]>([]);
  // While rendering, so that a row with the focus is never removed and added again.
  if (seen !== fresh.data) {
    setSeen(fresh.data);
    setEntries(refreshEntries(entries, fresh, Date.now()));
  }
  useEffect(() => {
    const ends = entries.flatMap(({ left }) => left?.untilMs ?? []);
    if (ends.length === 0) return undefined;
    const dropOver = () => setEntries((shown) => shown.filter(({ left }) => !left || left.untilMs > Date.now()));
    const timer = setTimeout(dropOver, Math.max(0, Math.min(...ends) - Date.now()) + 1);
    return () => clearTimeout(timer);
  }, [entries]);
  const settle = (key: string, outcome: Outcome) =>
    setEntries((shown) => shown.map((entry) => (entry.key === key ? leave(entry, outcome, Date.now()) : entry)));
  return { entries, settle };
}

type PagesProps = { page: number; total: number; onPage: (page: number) => void };

function Pages({ page, total, onPage }: PagesProps) {
  const last = Math.max(1, Math.ceil(total / waitingPerPage));
  // The last page becomes empty when its questions are answered.
  useEffect(() => {
    if (page > last) onPage(last);
  }, [page, last, onPage]);
  return <PageTurner strings={inboxStrings} page={page} perPage={waitingPerPage} total={total} onPage={onPage} />;
}

/** A question in miniature, and when there will be one. */
function NothingWaits() {
  return (
    <div className={classes.empty}>
      <div className={classes.miniature} aria-hidden>
        <strong>{inboxStrings.exampleAgent}</strong>
        <span>{inboxStrings.exampleQuestion}</span>
        <div className={classes.buttons}>
          <span data-filled>{inboxStrings.exampleYes}</span>
          <span>{inboxStrings.exampleNo}</span>
        </div>
      </div>
      <Title order={2}>{inboxStrings.emptyTitle}</Title>
      <Hint maw={440}>{inboxStrings.emptyText}</Hint>
    </div>
  );
}

type Props = { entry: InboxEntry; onLeave: (outcome: Outcome) => void };

/** One question with the controls to answer it. Once it waits no longer: what became of it. */
function InboxRow({ entry, onLeave }: Props) {
  const { run, question, left } = entry;
  const id = useId();
  const answer = useAnswer(entry, onLeave);
  const focus = useFocusThatStays(left !== undefined);
  const agent = run.agentflow?.name ?? inboxStrings.agentGone;
  return (
    <li
      {...focus}
      tabIndex={-1}
      className={classes.row}
      aria-labelledby={id}
      aria-busy={answer.isPending}
      data-open={left === undefined || undefined}
    >
      <header className={classes.head}>
        <Title order={2} id={id} className={classes.agent}>
          {run.agentflow === null ? (
            agent
          ) : (
            <Link to="/agents/$agentId" params={{ agentId: run.agentflow.id }}>
              {agent}
            </Link>
          )}
        </Title>
        <TextLink
          to="/executions/$executionId"
          params={{ executionId: run.id }}
          className={classes.run}
          aria-label={inboxStrings.viewRunOf({ agent })}
        >
          {inboxStrings.viewRun} <ArrowRight size={14} aria-hidden />
        </TextLink>
      </header>
      {left === undefined ? (
        <>
          <Origin entry={entry} />
          <Markdown text={question.text} />
          <HumanAnswer
            action={question.action}
            isDisabled={false}
            onAnswer={(given) => !answer.isPending && answer.mutate(given)}
          />
          {answer.error !== null && <ErrorNotice error={answer.error} title={inboxStrings.failed} />}
        </>
      ) : (
        <p className={classes.outcome} data-outcome={left.outcome.type}>
          {left.outcome.type === "answered" ? <Check size={16} aria-hidden /> : <Info size={16} aria-hidden />}
          {outcomeText(left.outcome)}
        </p>
      )}
    </li>
  );
}

/** Which chat asks, since when, and what its run began with. */
function Origin({ entry: { run, question } }: Pick<Props, "entry">) {
  return (
    <div className={classes.origin}>
      <Hint component="span">
        {inboxStrings.startedBy[run.startedBy]} · {inboxStrings.session({ id: run.sessionId })} ·{" "}
        <Sentence text={(moment) => inboxStrings.asked({ moment })}>
          <Moment at={question.askedDate} />
        </Sentence>
      </Hint>
      {run.question !== "" && (
        <Hint component="span" lineClamp={2}>
          {commonStrings.labelled({ label: inboxStrings.began, value: run.question })}
        </Hint>
      )}
    </div>
  );
}

function outcomeText(outcome: Outcome): string {
  return outcome.type === "answered"
    ? inboxStrings.outcomes.answered({ label: outcome.label })
    : inboxStrings.outcomes[outcome.type];
}

/** Sends an answer. A question answered by someone else, or a run that is gone, closes the row; other failures keep what was typed. */
function useAnswer({ run, question }: InboxEntry, onLeave: Props["onLeave"]) {
  const queryClient = useQueryClient();
  const refresh = () => void queryClient.invalidateQueries({ queryKey: executionKeys.all });
  return useMutation({
    mutationFn: ({ type, feedback }: HumanReply) =>
      client.answerExecution(
        { id: run.id },
        { type, waitId: question.action.id, ...(feedback !== "" && { feedback }) },
      ),
    onSuccess(_, { label }) {
      onLeave({ type: "answered", label });
      refresh();
    },
    onError(error) {
      if (!isApiError(error) || ![404, 409].includes(error.status)) return;
      onLeave({ type: "late" });
      refresh();
    },
  });
}

/** When a row that has the focus loses its controls, the next row gets it, or the one before, or the list. */
function useFocusThatStays(hasLeft: boolean) {
  const ref = useRef<HTMLLIElement>(null);
  const hasFocus = useRef(false);
  useLayoutEffect(() => {
    const row = ref.current;
    if (!hasLeft || !hasFocus.current || row === null) return;
    hasFocus.current = false;
    const rows = [...(row.parentElement?.querySelectorAll<HTMLElement>(":scope > li") ?? [])];
    const at = rows.indexOf(row);
    const next = [...rows.slice(at), ...rows.slice(0, at).toReversed()].find(({ dataset }) => "open" in dataset);
    (next ?? row.closest<HTMLElement>("[data-inbox]"))?.focus();
  }, [hasLeft]);
  return {
    ref,
    onFocus: () => {
      hasFocus.current = true;
    },
    onBlur: () => {
      hasFocus.current = false;
    },
  };
}
