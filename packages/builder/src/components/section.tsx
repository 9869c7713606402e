import { Group, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./section.module.css";

type Props = { title: string; text?: ReactNode; actions?: ReactNode; children?: ReactNode };

/** A part of a page on a surface of its own, below its heading. */
export function Section({ title, text, actions, children }: Props) {
  return (
    <section className={classes.section}>
      <Group justify="space-between" align="flex-start">
        <div className={classes.heading}>
          <Title order={2}>{title}</Title>
          {text !== undefined && (
            <Text size="sm" c="dimmed">
              {text}
            </Text>
          )}
        </div>
        {actions}
      </Group>
      {children}
    </section>
  );
}
