import { SimpleGrid } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { client } from "../../../api/client.ts";
import { languageTag } from "../../../languages/index.ts";
import { settingsStrings } from "../../../strings.ts";
import { ListBody } from "../../../ui/page/notices.tsx";
import { Fact, Section } from "../../../ui/page/page.tsx";

/** How long each kind of data is kept, and the setting of the server that changes it. */
export function RetentionSection() {
  const retention = useQuery(retentionQuery);
  return (
    <Section title={settingsStrings.retention} text={settingsStrings.retentionText}>
      <ListBody query={retention} rowHeight={60}>
        {(list) => (
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {list.map(({ kind, keptSeconds, setting }) => (
              <Fact
                key={kind}
                name={settingsStrings.retentionKinds[kind]}
                value={[toTime(keptSeconds), setting && settingsStrings.retentionSetting({ name: setting })]
                  .filter(Boolean)
                  .join(" · ")}
              />
            ))}
          </SimpleGrid>
        )}
      </ListBody>
    </Section>
  );
}

const retentionQuery = queryOptions({
  queryKey: ["retention"],
  queryFn: ({ signal }) => client.listRetention({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** In the largest unit that divides it. */
function toTime(seconds: number | null): string {
  if (seconds === null) return settingsStrings.untilDeleted;
  if (seconds === 0) return settingsStrings.notKept;
  const [unit, size] = units.find(([, one]) => seconds % one === 0) ?? ["second", 1];
  const style = { style: "unit", unit, unitDisplay: "long" } as const;
  return (seconds / size).toLocaleString(languageTag(), style);
}
