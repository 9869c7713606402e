import { Stack, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import { shellStrings } from "../strings.ts";
import { Hint } from "../ui/text/hint.tsx";
import classes from "./standalone.module.css";

type Props = { title: string; text?: string; children: ReactNode };

/** A page without navigation: one card in the middle. */
export function Standalone({ title, text, children }: Props) {
  useDocumentTitle(`${title} · ${shellStrings.product}`);
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <Stack gap={4} mb="lg">
          <Logo size={40} />
          <Title order={1} mt="md">
            {title}
          </Title>
          {text !== undefined && <Hint>{text}</Hint>}
        </Stack>
        {children}
      </div>
    </main>
  );
}

/** The logo: two crossing threads. Decorative; the name is next to it. */
export function Logo({ size }: { size: number }) {
  return <img src="/favicon.svg" width={size} height={size} alt="" />;
}
