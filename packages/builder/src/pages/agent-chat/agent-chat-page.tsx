import { useDocumentTitle } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Suspense } from "react";
import { agentQuery, isUnpublished } from "../../api/agents.ts";
import { ChatPanel } from "../../chat/index.ts";
import { ArrowLeft } from "../../icons/icons.gen.ts";
import { chatStrings } from "../../strings.ts";
import { ErrorNotice } from "../../ui/page/notices.tsx";
import classes from "./agent-chat-page.module.css";

/** A chat with one agent, without its canvas. */
export function AgentChatPage() {
  const { agentId } = useParams({ from: "/agents/$agentId/chat" });
  const { data, error, refetch } = useQuery(agentQuery(agentId));
  const name = data?.agent.name ?? "";
  useDocumentTitle(chatStrings.pageTitle({ hasAgent: name !== "", agent: name }));
  if (data === undefined && error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  return (
    <Suspense fallback={null}>
      <ChatPanel
        agentId={agentId}
        isDraft={data !== undefined && isUnpublished(data.agent)}
        key={agentId}
        heading={<Heading agentId={agentId} name={name} />}
      />
    </Suspense>
  );
}

function Heading({ agentId, name }: { agentId: string; name: string }) {
  return (
    <>
      <Link to="/agents/$agentId" params={{ agentId }} className={classes.back}>
        <ArrowLeft size={16} aria-hidden /> {chatStrings.openEditor}
      </Link>
      <h1 className={classes.title}>{name}</h1>
    </>
  );
}
