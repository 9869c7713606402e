import { Alert, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client } from "../api/client.ts";
import { credentialKeys } from "../api/settings.ts";
import { canvasStrings } from "../strings.ts";
import { BindHostButton } from "./bind-host-button.tsx";

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
