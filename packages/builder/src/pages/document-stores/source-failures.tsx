import { Text } from "@mantine/core";
import type { UpsertJob } from "@weft/client";
import { documentStoresStrings as strings } from "../../../strings/document-stores.ts";
import { ScrollRegion } from "../scroll-region.tsx";
import classes from "./upsert-card.module.css";

/** The sources that could not be loaded, each with why and what to do. */
export function SourceFailures({ failures }: { failures: UpsertJob["failed"] }) {
  if (failures.length === 0) return null;
  const title = strings.progress.failures(failures.length);
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
              <Text size="sm" c="dimmed">
                {strings.advice[code] ?? strings.anyAdvice}
              </Text>
            </li>
          ))}
        </ul>
      </ScrollRegion>
    </div>
  );
}
