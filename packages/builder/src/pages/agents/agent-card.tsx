import { Badge, Button, Menu } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Agent } from "@weft/client";
import { Bot, Copy, MessageSquare, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { agentKeys } from "../../api/agents.ts";
import { client } from "../../api/client.ts";
import { errorSentence } from "../../api/error-sentence.ts";
import { AgentMenuItems } from "../../components/agent-menu-items.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { Moment } from "../../components/moment.tsx";
import { notifyDone, notifyFailed } from "../../components/notify.ts";
import { RowMenu } from "../../components/row-menu.tsx";
import { agentsStrings } from "../../strings/agents.ts";
import { commonStrings } from "../../strings/common.ts";
import { AgentDialog } from "./agent-dialog.tsx";
import classes from "./agents.module.css";
import { duplicateAgent } from "./duplicate-agent.ts";
import { tagsOf } from "./tags.ts";

export function AgentCard({ agent }: { agent: Agent }) {
  const { id, name, isPublic, updatedDate } = agent;
  const tags = tagsOf(agent);
  return (
    <li className={classes.card}>
      <div className={classes.head}>
        <div className={classes.icon}>
          <Bot size={20} strokeWidth={1.75} aria-hidden />
        </div>
        <Link to="/agents/$agentId" params={{ agentId: id }} className={classes.name}>
          {name}
        </Link>
        <div className={classes.above}>
          <AgentMenu agent={agent} />
        </div>
      </div>
      <div className={classes.tags}>
        {isPublic && (
          <Badge size="sm" variant="light" color="teal">
            {agentsStrings.publicBadge}
          </Badge>
        )}
        {tags.map((tag) => (
          <Badge key={tag} size="sm" variant="light" color="gray" tt="none">
            {tag}
          </Badge>
        ))}
      </div>
      <div className={classes.foot}>
        <Moment at={updatedDate} />
        <Button
          size="compact-sm"
          variant="subtle"
          className={classes.above}
          leftSection={<MessageSquare size={14} aria-hidden />}
          aria-label={agentsStrings.chatWith(name)}
          renderRoot={(props) => (
            <Link to="/agents/$agentId" params={{ agentId: id }} search={{ chat: true }} {...props} />
          )}
        >
          {agentsStrings.chat}
        </Button>
      </div>
    </li>
  );
}

function AgentMenu({ agent }: { agent: Agent }) {
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: agentKeys.all });
  const [dialog, setDialog] = useState<"edit" | "delete">();
  const close = () => setDialog(undefined);
  const duplicate = useMutation({
    mutationFn: () => duplicateAgent(agent),
    async onSuccess({ name }) {
      await refresh();
      notifyDone(agentsStrings.duplicated(name));
    },
    onError: (error) => notifyFailed(errorSentence(error)),
  });
  const remove = async () => {
    await client.deleteAgent({ id: agent.id });
    await refresh();
    notifyDone(agentsStrings.deleted(agent.name));
  };
  return (
    <>
      <RowMenu name={agent.name}>
        <AgentMenuItems agentId={agent.id} />
        <Menu.Divider />
        <Menu.Item leftSection={<Pencil size={16} aria-hidden />} onClick={() => setDialog("edit")}>
          {agentsStrings.editTitle}
        </Menu.Item>
        <Menu.Item leftSection={<Copy size={16} aria-hidden />} onClick={() => duplicate.mutate()}>
          {commonStrings.duplicate}
        </Menu.Item>
        <Menu.Item color="red" leftSection={<Trash2 size={16} aria-hidden />} onClick={() => setDialog("delete")}>
          {commonStrings.delete}
        </Menu.Item>
      </RowMenu>
      {dialog === "edit" && <AgentDialog agent={agent} onClose={close} />}
      <ConfirmDialog
        opened={dialog === "delete"}
        title={agentsStrings.deleteTitle}
        confirmLabel={commonStrings.delete}
        onConfirm={remove}
        onClose={close}
      >
        {agentsStrings.deleteText(agent.name)}
      </ConfirmDialog>
    </>
  );
}
