import { Container, Group, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ComponentPropsWithRef, ReactNode } from "react";
import type { LucideIcon } from "../../icons/create-icon.ts";
import { shellStrings } from "../../strings.ts";
import { Hint } from "../text/hint.tsx";
import classes from "./page.module.css";

type Props = {
  title: string;
  /** One sentence: what the page is for. */
  summary?: ReactNode;
  /** Buttons at the right of the title; one filled at most. */
  actions?: ReactNode;
  children: ReactNode;
};

/** A page with its heading, in the width that lists are read in. Sets the title of the browser's tab. */
export function Page({ title, summary, actions, children }: Props) {
  useDocumentTitle(`${title} · ${shellStrings.product}`);
  return (
    <Container size="lg" className={classes.page}>
      <header className={classes.header}>
        <div className={classes.heading}>
          <Title order={1}>{title}</Title>
          {summary !== undefined && <Hint>{summary}</Hint>}
        </div>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </header>
      {children}
    </Container>
  );
}

type SectionProps = { title: string; text?: ReactNode; actions?: ReactNode; children?: ReactNode };

/** A section of a page on its own surface, below its heading. */
export function Section({ title, text, actions, children }: SectionProps) {
  return (
    <section className={classes.section}>
      <Group justify="space-between" align="flex-start">
        <div className={classes.sectionHeading}>
          <Title order={2}>{title}</Title>
          {text !== undefined && <Hint>{text}</Hint>}
        </div>
        {actions}
      </Group>
      {children}
    </section>
  );
}

export function Fact({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div>
      <Hint size="xs">{name}</Hint>
      <Text size="sm">{value}</Text>
    </div>
  );
}

type EmptyStateProps = { icon: LucideIcon; title: string; text: ReactNode; action?: ReactNode };

/** An empty page: says what belongs here, and how to add it. */
export function EmptyState({ icon: Icon, title, text, action }: EmptyStateProps) {
  return (
    <div className={classes.root}>
      <div className={classes.icon}>
        <Icon size={24} strokeWidth={1.75} aria-hidden />
      </div>
      <Title order={2}>{title}</Title>
      <Hint maw={440}>{text}</Hint>
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </div>
  );
}

/** `busy` turns its sign. */
export type StatusTone = "plain" | "good" | "attention" | "bad" | "busy";

type StatusBadgeProps = ComponentPropsWithRef<"span"> & { tone: StatusTone; icon: LucideIcon };

export function StatusBadge({ tone, icon: Icon, children, ...props }: StatusBadgeProps) {
  return (
    <span {...props} className={classes.badge} data-tone={tone}>
      <Icon size={14} aria-hidden className={classes.statusBadgeIcon} />
      {children}
    </span>
  );
}
