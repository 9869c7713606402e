import { ActionIcon, Badge, Popover, Tooltip } from "@mantine/core";
import { History, type LucideIcon, SquarePen, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { chatStrings } from "../strings/chat.ts";
import classes from "./chat-header.module.css";
import { ChatHistory } from "./chat-history.tsx";
import type { ChatSession } from "./chat-session.ts";

type Props = {
  agentId: string;
  chatId: string;
  session: ChatSession;
  isRehearsal: boolean;
  heading: ReactNode;
  onClose: (() => void) | undefined;
};

/** Which model answers, earlier chats, and a new one. */
export function ChatHeader({ agentId, chatId, session, isRehearsal, heading, onClose }: Props) {
  return (
    <header className={classes.header}>
      {heading ?? <h2 className={classes.title}>{chatStrings.title}</h2>}
      {isRehearsal && (
        <Tooltip label={chatStrings.rehearsalHelp} events={{ hover: true, focus: true, touch: true }}>
          <Badge variant="light" color="yellow" tt="none" fw={500} className={classes.badge} tabIndex={0}>
            {chatStrings.rehearsal}
          </Badge>
        </Tooltip>
      )}
      <span className={classes.space} />
      <HistoryMenu agentId={agentId} chatId={chatId} session={session} />
      <HeaderButton label={chatStrings.newChat} icon={SquarePen} onClick={session.newChat} />
      {onClose !== undefined && <HeaderButton label={chatStrings.closeChat} icon={X} onClick={onClose} />}
    </header>
  );
}

function HistoryMenu({ agentId, chatId, session }: Pick<Props, "agentId" | "chatId" | "session">) {
  const [isOpen, setOpen] = useState(false);
  const open = (chosen: string) => {
    setOpen(false);
    void session.openChat(chosen);
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={320} shadow="md" trapFocus>
      <Popover.Target>
        <HeaderButton
          label={chatStrings.history}
          icon={History}
          isExplained={!isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      </Popover.Target>
      <Popover.Dropdown p={8} aria-label={chatStrings.history}>
        <ChatHistory agentId={agentId} current={chatId} onOpen={open} />
      </Popover.Dropdown>
    </Popover>
  );
}

type ButtonProps = { label: string; icon: LucideIcon; isExplained?: boolean; onClick: () => void };

function HeaderButton({ label, icon: Icon, isExplained = true, onClick, ...target }: ButtonProps) {
  return (
    <Tooltip label={label} disabled={!isExplained}>
      <ActionIcon {...target} variant="subtle" color="gray" size={32} aria-label={label} onClick={onClick}>
        <Icon size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
