import { Title, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { waitingPerPage, waitingQuery } from "../../api/executions.ts";
import { inboxStrings } from "../../strings.ts";
import { PageTurner } from "../../ui/list/list-page.tsx";
import { ErrorNotice, ListBody } from "../../ui/page/notices.tsx";
import { Page } from "../../ui/page/page.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import classes from "./inbox.module.css";
import { type InboxEntry, type InboxPageData, leave, type Outcome, refreshEntries } from "./inbox-entries.ts";
import { InboxRow, outcomeText } from "./inbox-row.tsx";

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
