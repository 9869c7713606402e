import { ScrollArea, Text } from "@mantine/core";
import type { UpsertJob } from "@weft/client";
import type { ReactNode } from "react";
import { documentStoresStrings as strings, textFor } from "../../strings.ts";
import { Hint } from "../../ui/text/hint.tsx";
import classes from "./source-failures.module.css";

/** The sources that could not be loaded, each with why and what to do. */
export function SourceFailures({ failures }: { failures: UpsertJob["failed"] }) {
  if (failures.length === 0) return null;
  const title = strings.progress.failures({ number: failures.length });
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {title}
      </Text>
      <ScrollRegion label={title} maxHeight={240}>
        <ul className={classes.failures}>
          {failures.map(({ source, code, message }) => (
            <li key={source}>
              <Text size="sm">{message.includes(source) ? message : `${source}: ${message}`}</Text>
              <Hint>{textFor(strings.advice, code) ?? strings.anyAdvice}</Hint>
            </li>
          ))}
        </ul>
      </ScrollRegion>
    </div>
  );
}

type Props = { label: string; maxHeight: number; children: ReactNode };

/** A region that scrolls, also by keyboard, when its content is taller than `maxHeight` pixels. */
export function ScrollRegion({ label, maxHeight, children }: Props) {
  return (
    <ScrollArea.Autosize
      mah={maxHeight}
      type="auto"
      offsetScrollbars="present"
      viewportProps={{ tabIndex: 0, role: "region", "aria-label": label }}
    >
      {children}
    </ScrollArea.Autosize>
  );
}
