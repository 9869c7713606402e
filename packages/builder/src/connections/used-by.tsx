import { List, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Use } from "@weft/client";
import type { UsableKind } from "@weft/schema";
import { client } from "../api/client.ts";
import { commonStrings } from "../strings.ts";
import { ErrorNotice } from "../ui/page/notices.tsx";

const { uses: strings } = commonStrings;
const shown = 8;

/** Usages of an item, for someone about to delete it. `id`: of a variable, its name. */
export function UsedBy({ kind, id }: { kind: UsableKind; id: string }) {
  const { data, error } = useQuery({
    queryKey: ["uses", kind, id],
    queryFn: ({ signal }) => client.listUses({ kind, id }, { signal }),
    staleTime: 0,
  });
  if (error) return <ErrorNotice error={error} />;
  if (data === undefined) return <Skeleton height={20} />;
  if (data.length === 0) return <Text size="sm">{strings.none}</Text>;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {strings.title}
      </Text>
      <List size="sm" spacing={2}>
        {data.slice(0, shown).map((use) => (
          <List.Item key={`${use.resource} ${use.id} ${use.nodeId} ${use.path}`} style={{ overflowWrap: "anywhere" }}>
            {toLine(use)}
          </List.Item>
        ))}
        {data.length > shown && <List.Item>{strings.more({ count: data.length - shown })}</List.Item>}
      </List>
    </Stack>
  );
}

function toLine({ resource, name, step, isDraft }: Use): string {
  if (resource === "default-model") return strings.defaultModel;
  const of = isDraft ? strings.draft({ name }) : name;
  return step === null || resource === "assistant" ? of : strings.step({ name: of, step });
}
