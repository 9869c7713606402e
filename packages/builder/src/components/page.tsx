import { Container, Group, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import { shellStrings } from "../strings/shell.ts";
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
          {summary !== undefined && (
            <Text c="dimmed" size="sm">
              {summary}
            </Text>
          )}
        </div>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </header>
      {children}
    </Container>
  );
}
