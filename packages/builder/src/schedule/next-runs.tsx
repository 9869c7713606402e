import { List, Text } from "@mantine/core";
import { nextMoments, type Timing } from "@weft/schema/timing";
import { languageTag } from "../languages/index.ts";
import { scheduleStrings as strings } from "../strings.ts";
import { describeCron } from "./describe-cron.ts";

const shownRuns = 5;

/** What a schedule means, and when it is due next, in its own time zone. Empty for one that is invalid: its field says why. */
export function NextRuns(timing: Timing) {
  const moments = nextMoments(timing, Date.now(), shownRuns);
  if (moments.length === 0) return null;
  const format = new Intl.DateTimeFormat(languageTag(), {
    ...{ weekday: "short", day: "numeric", month: "short", year: "numeric" },
    ...{ hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: timing.timeZone, timeZoneName: "short" },
  });
  const sentence = describeCron(timing.cron);
  return (
    <div>
      {sentence !== undefined && (
        <Text size="sm" mt={4}>
          {sentence}
        </Text>
      )}
      <Text size="xs" c="dimmed" mt={4}>
        {strings.next}
      </Text>
      <List size="xs" listStyleType="none" aria-label={strings.next}>
        {moments.map((moment) => (
          <List.Item key={moment}>{format.format(moment)}</List.Item>
        ))}
      </List>
    </div>
  );
}
