import { Text } from "@mantine/core";
import { toAgo } from "./to-ago.ts";

/** A point in time as people say it, with the whole date as its title. `at`: ISO 8601. */
export function Moment({ at }: { at: string }) {
  const date = new Date(at);
  return (
    <Text component="time" dateTime={at} title={date.toLocaleString()} size="sm" c="dimmed">
      {toAgo(date.getTime(), Date.now())}
    </Text>
  );
}
