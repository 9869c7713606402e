import { Group, List, Modal, Stack, Text } from "@mantine/core";
import type { Finding } from "@weft/schema";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { allowDestination, credentialKeys, type Question } from "../../api/settings.ts";
import { type CanvasSession, toDocument, useEditorState } from "../../canvas/index.ts";
import { canvasStrings } from "../../strings.ts";
import { Action } from "../../ui/controls/actions.tsx";
import { useRequest } from "../../ui/page/requests.ts";
import type { AgentSave } from "./editor-state.ts";

const { destinations: strings } = canvasStrings.editor;

type Props = { publishing: Publishing; saving: AgentSave };
type Asked = { nodeId: string | null; question: Question };

/** The new places that the flow sends credentials to, each once a step. */
function questionsIn(findings: readonly Finding[]): Asked[] {
  const asked = findings.flatMap(({ nodeId, bind }) => (bind === undefined ? [] : [{ nodeId, question: bind }]));
  return [...new Map(asked.map((each) => [JSON.stringify(each), each])).values()];
}

/** Publishes the flow, and asks before where its credentials go somewhere new. */
export function usePublishing(session: CanvasSession, saving: AgentSave) {
  const [asked, setAsked] = useState<readonly Asked[]>([]);
  return {
    asked,
    close: () => setAsked([]),
    async publish(): Promise<void> {
      session.attention.demandAll();
      const flowData = JSON.stringify(toDocument(session.editor.state().model));
      // What cannot be checked now is checked again by every run.
      const questions = await client.readFlow({ flowData }).then(
        ({ findings }) => questionsIn(findings),
        () => [],
      );
      if (questions.length > 0) setAsked(questions);
      else await saving.publish();
    },
  };
}

export type Publishing = ReturnType<typeof usePublishing>;

/** Asks, before a flow is published, whether its credentials may go where it sends them. */
export function DestinationsDialog({ publishing: { asked, close: onClose }, saving }: Props) {
  const labels = useEditorState((state) => state.model.nodes);
  const publish = () => {
    onClose();
    return saving.publish();
  };
  const allowing = useRequest(
    async () => {
      for (const { question } of asked) await allowDestination(question);
    },
    { stale: [credentialKeys.all], next: publish, isLoud: true },
  );
  return (
    <Modal opened={asked.length > 0} onClose={onClose} title={strings.title} size="lg">
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
        <Action label={strings.without} onClick={() => void publish()} />
        <Action label={strings.allow} variant="filled" runs={allowing} />
      </Group>
    </Modal>
  );
}
