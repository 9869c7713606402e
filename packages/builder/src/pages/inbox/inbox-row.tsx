import { Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useLayoutEffect, useRef } from "react";
import { client, isApiError } from "../../api/client.ts";
import { executionKeys } from "../../api/executions.ts";
import { HumanAnswer, type HumanReply } from "../../chat/index.ts";
import { ArrowRight, Check, Info } from "../../icons/icons.gen.ts";
import { commonStrings, inboxStrings } from "../../strings.ts";
import { Markdown } from "../../ui/content/markdown.tsx";
import { Moment } from "../../ui/content/time.tsx";
import { TextLink } from "../../ui/controls/links.tsx";
import { ErrorNotice } from "../../ui/page/notices.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import { Sentence } from "../../ui/text/sentence.tsx";
import classes from "./inbox.module.css";
import type { InboxEntry, Outcome } from "./inbox-entries.ts";

type Props = { entry: InboxEntry; onLeave: (outcome: Outcome) => void };

/** One question with the controls to answer it. Once it waits no longer: what became of it. */
export function InboxRow({ entry, onLeave }: Props) {
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

export function outcomeText(outcome: Outcome): string {
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
