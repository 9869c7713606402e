import { Alert, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client } from "../api/client.ts";
import { allowDestination, credentialKeys, type Question } from "../api/settings.ts";
import { canvasStrings, credentialsStrings } from "../strings.ts";
import { Action } from "../ui/controls/actions.tsx";
import { useRequest } from "../ui/page/requests.ts";

/** Resolves a finding by allowing a credential's destination. Queries that use credentials are refetched. */
export function BindHostButton({ bind }: { bind: Question }) {
  const binding = useRequest(() => allowDestination(bind), {
    stale: [credentialKeys.all],
    done: ({ name }) => credentialsStrings.bound({ name, host: bind.destination }),
    isLoud: true,
  });
  return (
    <Action
      label={credentialsStrings.bind({ host: bind.destination })}
      size="compact-xs"
      style={{ height: "auto", minHeight: 24 }}
      styles={{ label: { whiteSpace: "normal", overflowWrap: "anywhere", textAlign: "start" } }}
      disabled={binding.isSuccess}
      runs={binding}
    />
  );
}

const { destinations: strings } = canvasStrings.editor;

/**
 * Asks for permission to send credentials of an agent's settings, such as those of speech. `etag`: of the saved agent.
 */
export function DestinationQuestions({ agentId, etag }: { agentId: string; etag: string }) {
  const { data: findings = [] } = useQuery({
    queryKey: [...credentialKeys.all, "questions", agentId, etag],
    queryFn: ({ signal }) => client.listAgentFindings({ id: agentId }, { signal }),
  });
  const asked = findings.flatMap(({ nodeId, bind }) => (nodeId === null && bind !== undefined ? [bind] : []));
  if (asked.length === 0) return null;
  return (
    <Alert color="yellow" title={strings.title}>
      <Stack gap="xs" align="flex-start">
        {asked.map((bind) => (
          <div key={`${bind.credential} ${bind.destination}`}>
            {strings.ofAgent({ name: bind.name, destination: bind.destination })}
            <BindHostButton bind={bind} />
          </div>
        ))}
      </Stack>
    </Alert>
  );
}
