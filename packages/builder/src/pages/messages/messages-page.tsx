import { Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { agentQuery } from "../../api/agents.ts";
import { BackToAgent } from "../../components/back-to-agent.tsx";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { Page } from "../../components/page.tsx";
import { messagesStrings } from "../../strings/messages.ts";
import { LeadsTab } from "./leads-tab.tsx";
import { MessagesTab } from "./messages-tab.tsx";

/** What was said to an agent, what people thought of it, and who left an address. */
export function MessagesPage() {
  const { agentId } = useParams({ from: "/agents/$agentId/messages" });
  const search = useSearch({ from: "/agents/$agentId/messages" });
  const navigate = useNavigate({ from: "/agents/$agentId/messages" });
  const { data, error } = useQuery(agentQuery(agentId));
  const name = data?.agent.name;
  return (
    <Page
      title={name === undefined ? messagesStrings.loadingTitle : messagesStrings.title(name)}
      summary={<BackToAgent agentId={agentId} />}
    >
      <ErrorNotice error={error} />
      <Tabs
        value={search.tab ?? "messages"}
        onChange={(tab) => void navigate({ search: tab === "leads" ? { tab } : {} })}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          <Tabs.Tab value="messages">{messagesStrings.messages}</Tabs.Tab>
          <Tabs.Tab value="leads">{messagesStrings.leads}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="messages">
          <MessagesTab
            agentId={agentId}
            agentName={name ?? ""}
            search={search}
            onSearch={(changed) => void navigate({ search: changed, replace: true })}
          />
        </Tabs.Panel>
        <Tabs.Panel value="leads">
          <LeadsTab agentId={agentId} agentName={name ?? ""} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
