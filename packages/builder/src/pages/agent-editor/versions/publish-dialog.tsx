import { Group, Modal, Skeleton, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { type Finding, longestVersionTexts } from "@weft/schema";
import { type KeyboardEvent, type SubmitEvent, useId, useState } from "react";
import { isUnpublished } from "../../../api/agents.ts";
import { client } from "../../../api/client.ts";
import { FindingsList, type FlowModel, useEditorState } from "../../../canvas/index.ts";
import { canvasStrings, commonStrings } from "../../../strings.ts";
import { Action } from "../../../ui/controls/actions.tsx";
import { ErrorNotice } from "../../../ui/page/notices.tsx";
import { Hint } from "../../../ui/text/hint.tsx";
import { openFlow } from "../editor-state.ts";
import { ChangedSteps } from "./changes.tsx";
import { diffFlows, isEmptyDifference } from "./diff-flows.ts";
import type { Publishing } from "./use-publishing.ts";

const { publishing: strings } = canvasStrings.editor;

type Props = { agentId: string; publishing: Publishing; findings: readonly Finding[] };

/** What publishing changes for users, and what people are to call the version. */
export function PublishDialog(props: Props) {
  const { isOpen, close } = props.publishing;
  return (
    <Modal opened={isOpen} onClose={close} title={strings.title} size="lg">
      {isOpen && <PublishForm {...props} />}
    </Modal>
  );
}

/** What users get now. `model` is absent where nothing was ever published; `isForeign`: publishing rewrites its format. */
type PublishedFlow = { model?: FlowModel; isForeign: boolean };

const publishedFlowQuery = (agentId: string) =>
  queryOptions({
    queryKey: ["published-flow", agentId],
    async queryFn({ signal }): Promise<PublishedFlow> {
      const agent = await client.getAgent({ id: agentId }, { signal });
      if (isUnpublished(agent)) return { isForeign: false };
      const { model, dialect } = await openFlow({ agentId, flowData: agent.flowData }, signal);
      return { model, isForeign: dialect !== "native" };
    },
    gcTime: 0,
    staleTime: 0,
  });

function PublishForm({ agentId, publishing, findings }: Props) {
  const draft = useEditorState((state) => state.model);
  const published = useQuery(publishedFlowQuery(agentId));
  const [name, setName] = useState("");
  const [note, setNote] = useState("");
  const changesId = useId();
  const { data } = published;
  const difference = data?.model && diffFlows(data.model, draft);
  const isUnchanged = difference !== undefined && isEmptyDifference(difference) && data?.isForeign === false;
  const mayPublish = !isUnchanged && !publishing.isSending;
  const publish = () => {
    if (mayPublish) void publishing.send({ name, note });
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    publish();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    publish();
  };
  return (
    <form onSubmit={onSubmit} onKeyDown={onKeyDown}>
      <Stack>
        <section aria-labelledby={changesId}>
          <Text id={changesId} size="sm" fw={500} mb={6}>
            {strings.changes}
          </Text>
          <ErrorNotice error={published.error} onRetry={() => void published.refetch()} />
          {!data && !published.error && <Skeleton height={40} />}
          {data && !difference && <Hint>{strings.first({ count: draft.nodes.size })}</Hint>}
          {isUnchanged && <Hint role="status">{strings.nothing}</Hint>}
          {difference && !isUnchanged && <ChangedSteps difference={difference} />}
        </section>
        {findings.length > 0 && (
          <section aria-label={strings.findings}>
            <Text size="sm" fw={500} mb={6}>
              {strings.findings}
            </Text>
            <FindingsList findings={findings} onChosen={publishing.close} />
          </section>
        )}
        <TextInput
          label={strings.name}
          description={commonStrings.optional}
          placeholder={strings.namePlaceholder}
          maxLength={longestVersionTexts.name}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <Textarea
          label={canvasStrings.editor.versions.note}
          description={commonStrings.optional}
          placeholder={canvasStrings.editor.versions.notePlaceholder}
          maxLength={longestVersionTexts.note}
          autosize
          minRows={2}
          maxRows={8}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Hint size="xs" mr="auto">
            {strings.keys({ keys: sendKeys })}
          </Hint>
          <Action label={commonStrings.cancel} onClick={publishing.close} />
          <Action
            label={canvasStrings.editor.publish}
            type="submit"
            variant="filled"
            loading={publishing.isSending}
            disabled={isUnchanged}
          />
        </Group>
      </Stack>
    </form>
  );
}

const sendKeys = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘ Enter" : "Ctrl Enter";
