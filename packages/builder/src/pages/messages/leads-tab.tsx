import { Anchor, Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Lead } from "@weft/client";
import { Contact, Download } from "lucide-react";
import { leadsQuery } from "../../api/messages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ListBody } from "../../components/list-body.tsx";
import { Moment } from "../../components/moment.tsx";
import { messagesStrings } from "../../strings/messages.ts";
import { downloadText } from "./download-text.ts";
import { toCsv } from "./to-csv.ts";

/** Who left a name or an address in a chat. */
export function LeadsTab({ agentId, agentName }: { agentId: string; agentName: string }) {
  const leads = useQuery(leadsQuery(agentId));
  return (
    <ListBody query={leads}>
      {(list) =>
        list.length === 0 ? (
          <EmptyState icon={Contact} title={messagesStrings.leadsEmptyTitle} text={messagesStrings.leadsEmptyText} />
        ) : (
          <>
            <Group justify="flex-end" mb="md">
              <Button
                variant="default"
                leftSection={<Download size={16} aria-hidden />}
                onClick={() => downloadText(messagesStrings.leadsFile(agentName), toLeadsCsv(list), "text/csv")}
              >
                {messagesStrings.exportCsv}
              </Button>
            </Group>
            <DataTable label={messagesStrings.leads} columns={toColumns(agentId)} rows={list} idOf={({ id }) => id} />
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

function toColumns(agentId: string): Column<Lead>[] {
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
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link {...props} to="/agents/$agentId/messages" params={{ agentId }} search={{ open: chatId }} />
          )}
        >
          {messagesStrings.openChat}
        </Anchor>
      ),
    },
  ];
}
