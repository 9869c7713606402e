import { Progress, Text } from "@mantine/core";
import type { UpsertJob } from "@weft/client";
import { documentStoresStrings } from "../../../strings/document-stores.ts";
import classes from "./upsert-card.module.css";
import type { UpsertPhase } from "./upsert-phase.ts";

const strings = documentStoresStrings.progress;

/** Nobody knows how much there is while a source is loaded: the bar only moves then, and has no value. */
export function UpsertBar({ job: { planned, written }, phase }: { job: UpsertJob; phase: UpsertPhase }) {
  const isKnown = phase === "upserting";
  return (
    <div>
      {isKnown ? (
        <Progress value={(written / planned) * 100} size="md" aria-label={strings.label} />
      ) : (
        <div className={classes.unknown} role="progressbar" aria-label={strings.label} />
      )}
      <Text size="sm" c="dimmed" mt={6}>
        {isKnown ? strings.writing(written, planned) : strings.loading}
      </Text>
    </div>
  );
}
