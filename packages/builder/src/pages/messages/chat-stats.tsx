import { useQuery } from "@tanstack/react-query";
import { chatStatsQuery, type MessageFilter } from "../../api/messages.ts";
import { messagesStrings } from "../../strings/messages.ts";
import classes from "./messages.module.css";

/** How much was said, and how it was liked. */
export function ChatStats({ agentId, filter }: { agentId: string; filter: MessageFilter }) {
  const { data } = useQuery(chatStatsQuery(agentId, filter));
  const { stats } = messagesStrings;
  const figures = [
    [stats.messages, data?.totalMessages.toLocaleString()],
    [stats.sessions, data?.totalSessions.toLocaleString()],
    [stats.feedback, data?.totalFeedback.toLocaleString()],
    [stats.positive, data && messagesStrings.percent(data.positiveFeedback, data.totalFeedback)],
  ] as const;
  return (
    <dl className={classes.stats}>
      {figures.map(([name, figure]) => (
        <div key={name} className={classes.stat}>
          <dt>{name}</dt>
          <dd>{figure ?? "–"}</dd>
        </div>
      ))}
    </dl>
  );
}
