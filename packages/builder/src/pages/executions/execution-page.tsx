import { Alert, Skeleton, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { Execution } from "@weft/client";
import { ArrowLeft, TriangleAlert } from "lucide-react";
import { executionQuery } from "../../api/executions.ts";
import { HumanAnswer } from "../../chat/human-answer.tsx";
import { Markdown } from "../../chat/markdown.tsx";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { Page } from "../../components/page.tsx";
import { executionStrings } from "../../strings/executions.ts";
import { ErrorDetails } from "../../trace/error-details.tsx";
import { RunTimeline } from "../../trace/run-timeline.tsx";
import { ExecutionActions } from "./execution-actions.tsx";
import { ExecutionCallbacks } from "./execution-callbacks.tsx";
import { ExecutionFacts } from "./execution-facts.tsx";
import { ExecutionMessages } from "./execution-messages.tsx";
import classes from "./execution-page.module.css";
import { useExecutionActions } from "./use-execution-actions.ts";

/** One run: how it stands, what it asks, its steps on a time axis, and its messages. */
export function ExecutionPage() {
  const { executionId } = useParams({ from: "/executions/$executionId" });
  const { data, error, refetch } = useQuery(executionQuery(executionId));
  return (
    <Page
      title={titleOf(data)}
      summary={
        <Link to="/executions" className={classes.back}>
          <ArrowLeft size={14} aria-hidden /> {executionStrings.back}
        </Link>
      }
      actions={data !== undefined && <ExecutionActions execution={data} />}
    >
      {data !== undefined && <Run execution={data} key={executionId} />}
      {data === undefined && error === null && <Skeleton height={320} radius="md" />}
      {data === undefined && error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
    </Page>
  );
}

const longestTitle = 80;

/** What the run was asked, as far as it fits above the page. */
function titleOf(execution: Execution | undefined): string {
  const question = execution?.question.trim() ?? "";
  if (question === "") return executionStrings.runTitle;
  return question.length > longestTitle ? `${question.slice(0, longestTitle)}…` : question;
}

function Run({ execution }: { execution: Execution }) {
  const { answer } = useExecutionActions(execution.id);
  const { action, text, error, warnings } = execution;
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
