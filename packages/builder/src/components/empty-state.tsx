import { Text, Title } from "@mantine/core";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import classes from "./empty-state.module.css";

type Props = { icon: LucideIcon; title: string; text: ReactNode; action?: ReactNode };

/** An empty page: says what belongs here, and how to add it. */
export function EmptyState({ icon: Icon, title, text, action }: Props) {
  return (
    <div className={classes.root}>
      <div className={classes.icon}>
        <Icon size={24} strokeWidth={1.75} aria-hidden />
      </div>
      <Title order={2}>{title}</Title>
      <Text c="dimmed" size="sm" maw={440}>
        {text}
      </Text>
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </div>
  );
}
