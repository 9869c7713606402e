import { useDocumentTitle } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { agentQuery } from "../../api/agents.ts";
import { ChatPanel } from "../../chat/chat-panel.tsx";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { chatStrings } from "../../strings/chat.ts";
import classes from "./agent-chat-page.module.css";

/** A chat with one agent, without its canvas. */
export function AgentChatPage() {
  const { agentId } = useParams({ from: "/agents/$agentId/chat" });
  const { data, error, refetch } = useQuery(agentQuery(agentId));
  const name = data?.agent.name ?? "";
  useDocumentTitle(chatStrings.pageTitle(name));
  if (data === undefined && error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  return <ChatPanel agentId={agentId} key={agentId} heading={<Heading agentId={agentId} name={name} />} />;
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
