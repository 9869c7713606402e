import { Alert, Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { agentKeys } from "../api/agents.ts";
import { client } from "../api/client.ts";
import { publicAccessQuery } from "../api/settings.ts";
import { Lock } from "../icons/icons.gen.ts";
import { visitorsStrings as strings } from "../strings.ts";
import { Action } from "../ui/controls/actions.tsx";
import { useRequest } from "../ui/page/requests.ts";

/** Lets visitors use public agents, or keeps them out. */
export function useVisitorChoice() {
  return useRequest((isAllowed: boolean) => client.choosePublicAccess({ isAllowed }), {
    stale: [publicAccessQuery.queryKey, agentKeys.all],
    done: ({ isAllowed }) => (isAllowed ? strings.letIn : strings.keptOut),
    isLoud: true,
  });
}

/** Says of a public agent that the server keeps visitors out, with the button that lets them in where one may. */
export function VisitorsBlocked() {
  const { data } = useQuery(publicAccessQuery);
  const choice = useVisitorChoice();
  if (data === undefined) return null;
  return (
    <Alert color="yellow" variant="light" icon={<Lock size={18} aria-hidden />} role="status">
      <Stack gap="xs">
        {data.isFixed ? strings.blockedByServer : strings.blocked}
        {!data.isFixed && (
          <Group>
            <Action label={strings.allow} size="xs" loading={choice.isPending} onClick={() => choice.mutate(true)} />
          </Group>
        )}
      </Stack>
    </Alert>
  );
}
