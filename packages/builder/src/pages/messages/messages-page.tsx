import { Anchor, Group, Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { Lead } from "@weft/client";
import { useState } from "react";
import { agentQuery } from "../../api/agents.ts";
import { client } from "../../api/client.ts";
import { Contact, Download, Trash2 } from "../../icons/icons.gen.ts";
import { messagesStrings } from "../../strings.ts";
import { Moment } from "../../ui/content/time.tsx";
import { Action, MenuAction } from "../../ui/controls/actions.tsx";
import { TextLink } from "../../ui/controls/links.tsx";
import { downloadText } from "../../ui/download-text.ts";
import { actionsColumn, type Column, DataTable, RowMenu } from "../../ui/list/list-page.tsx";
import { ConfirmDialog } from "../../ui/page/dialogs.tsx";
import { ErrorNotice, ListBody } from "../../ui/page/notices.tsx";
import { EmptyState, Page } from "../../ui/page/page.tsx";
import { BackToAgent } from "../agents/agent-menu.tsx";
import { MessagesTab } from "./messages-tab.tsx";
import { leadsQuery, toCsv } from "./queries.ts";

/** The messages, ratings and leads of an agent. */
export function MessagesPage() {
  const { agentId } = useParams({ from: "/agents/$agentId/messages" });
  const search = useSearch({ from: "/agents/$agentId/messages" });
  const navigate = useNavigate({ from: "/agents/$agentId/messages" });
  const { data, error } = useQuery(agentQuery(agentId));
  const name = data?.agent.name;
  return (
    <Page
      title={name === undefined ? messagesStrings.loadingTitle : messagesStrings.title({ agent: name })}
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
            agentName={name ?? agentId}
            search={search}
            onSearch={(change) => void navigate({ search: change, replace: true })}
          />
        </Tabs.Panel>
        <Tabs.Panel value="leads">
          <LeadsTab agentId={agentId} agentName={name ?? agentId} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

/** Who left a name or an address in a chat. */
function LeadsTab({ agentId, agentName }: { agentId: string; agentName: string }) {
  const leads = useQuery(leadsQuery(agentId));
  const [leadToDelete, setLeadToDelete] = useState<Lead>();
  return (
    <ListBody query={leads}>
      {(list) =>
        list.length === 0 ? (
          <EmptyState icon={Contact} title={messagesStrings.leadsEmptyTitle} text={messagesStrings.leadsEmptyText} />
        ) : (
          <>
            <Group justify="flex-end" mb="md">
              <Action
                icon={Download}
                label={messagesStrings.exportCsv}
                onClick={() =>
                  downloadText(messagesStrings.leadsFile({ name: agentName }), toLeadsCsv(list), "text/csv")
                }
              />
            </Group>
            <DataTable
              label={messagesStrings.leads}
              columns={toColumns(agentId, setLeadToDelete)}
              rows={list}
              idOf={({ id }) => id}
            />
            {leadToDelete !== undefined && (
              <ConfirmDialog
                title={messagesStrings.leadDeleteTitle}
                confirmLabel={messagesStrings.leadDelete}
                onConfirm={() => client.deleteLead({ id: leadToDelete.id })}
                stale={[leadsQuery(agentId).queryKey]}
                done={messagesStrings.leadDeleted}
                onClose={() => setLeadToDelete(undefined)}
              >
                {messagesStrings.leadDeleteText}
              </ConfirmDialog>
            )}
          </>
        )
      }
    </ListBody>
  );
}

function toLeadsCsv(leads: readonly Lead[]): string {
  const { leadName, leadEmail, leadPhone, leadDate, columns } = messagesStrings;
  const rows = leads.map(({ name, email, phone, createdDate, chatId }) => [name, email, phone, createdDate, chatId]);
  return toCsv([leadName, leadEmail, leadPhone, leadDate, columns.chatId], rows);
}

function toColumns(agentId: string, onDelete: (lead: Lead) => void): Column<Lead>[] {
  return [
    { key: "name", header: messagesStrings.leadName, cell: ({ name }) => name },
    {
      key: "email",
      header: messagesStrings.leadEmail,
      cell: ({ email }) =>
        email === "" ? null : (
          <Anchor href={`mailto:${email}`} size="sm">
            {email}
          </Anchor>
        ),
    },
    { key: "phone", header: messagesStrings.leadPhone, cell: ({ phone }) => phone },
    {
      key: "date",
      header: messagesStrings.leadDate,
      isNarrow: true,
      cell: ({ createdDate }) => <Moment at={createdDate} />,
    },
    {
      key: "chat",
      header: messagesStrings.openChat,
      isNarrow: true,
      // A chat's messages are in the session of the same name, unless its client chose another.
      cell: ({ chatId }) => (
        <TextLink to="/agents/$agentId/messages" params={{ agentId }} search={{ open: chatId }}>
          {messagesStrings.openChat}
        </TextLink>
      ),
    },
    actionsColumn((lead) => (
      <RowMenu name={lead.name || lead.email || lead.phone}>
        <MenuAction icon={Trash2} label={messagesStrings.leadDelete} isDanger onClick={() => onDelete(lead)} />
      </RowMenu>
    )),
  ];
}
