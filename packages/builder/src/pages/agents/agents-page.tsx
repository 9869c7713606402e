import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Bot, Plus } from "lucide-react";
import { useState } from "react";
import { agentsQuery } from "../../api/agents.ts";
import { ListPage } from "../../components/list-page.tsx";
import { agentsStrings } from "../../strings/agents.ts";
import { AgentDialog } from "./agent-dialog.tsx";
import { AgentGrid } from "./agent-grid.tsx";
import { RehearsalNotice } from "./rehearsal-notice.tsx";

export function AgentsPage() {
  const agents = useQuery(agentsQuery);
  const [isCreating, setIsCreating] = useState(false);
  const createButton = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setIsCreating(true)}>
      {agentsStrings.create}
    </Button>
  );
  return (
    <ListPage
      strings={agentsStrings}
      icon={Bot}
      query={agents}
      rowHeight={132}
      action={createButton}
      notice={<RehearsalNotice />}
      list={(rows) => <AgentGrid agents={rows} />}
    >
      {isCreating && <AgentDialog onClose={() => setIsCreating(false)} />}
    </ListPage>
  );
}
