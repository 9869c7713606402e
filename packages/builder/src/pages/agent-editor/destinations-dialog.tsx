import { Group, List, Modal, Stack, Text } from "@mantine/core";
import { allowDestination, credentialKeys } from "../../api/settings.ts";
import { useEditorState } from "../../canvas/index.ts";
import { canvasStrings } from "../../strings.ts";
import { Action } from "../../ui/controls/actions.tsx";
import { useRequest } from "../../ui/page/requests.ts";
import type { Publishing } from "./versions/index.ts";

const { destinations: strings } = canvasStrings.editor;

/** Asks, before a flow is published, whether its credentials may go where it sends them. */
export function DestinationsDialog({ publishing: { asked, dismiss, answer } }: { publishing: Publishing }) {
  const labels = useEditorState((state) => state.model.nodes);
  const allowing = useRequest(
    async () => {
      for (const { question } of asked) await allowDestination(question);
    },
    { stale: [credentialKeys.all], next: answer, isLoud: true },
  );
  return (
    <Modal opened={asked.length > 0} onClose={dismiss} title={strings.title} size="lg">
      <Stack gap="sm">
        <Text size="sm">{strings.text}</Text>
        <List size="sm" spacing="xs">
          {asked.map(({ nodeId, question: { credential, name, destination } }) => {
            const step = nodeId === null ? undefined : labels.get(nodeId)?.label;
            return (
              <List.Item key={`${nodeId} ${credential} ${destination}`} style={{ overflowWrap: "anywhere" }}>
                {step === undefined
                  ? strings.ofAgent({ name, destination })
                  : strings.ofStep({ name, destination, step })}
              </List.Item>
            );
          })}
        </List>
      </Stack>
      <Group mt="lg" justify="flex-end">
        <Action label={strings.without} onClick={() => void answer()} />
        <Action label={strings.allow} variant="filled" runs={allowing} />
      </Group>
    </Modal>
  );
}
