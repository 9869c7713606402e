import { Alert, FileButton, Group, Modal, NativeSelect, Stack, Text, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { FlowReading } from "@weft/client";
import type { Finding } from "@weft/schema";
import { type ReactNode, useState } from "react";
import { client } from "../../api/client.ts";
import { FindingsList, FlowChoices, toModel, useCanvas, useFlowChoices } from "../../canvas/index.ts";
import { FileUp } from "../../icons/icons.gen.ts";
import { canvasStrings } from "../../strings.ts";
import { Action } from "../../ui/controls/actions.tsx";
import { ErrorNotice } from "../../ui/page/notices.tsx";
import { Hint } from "../../ui/text/hint.tsx";

const { import: importing } = canvasStrings.editor;

/** Reads a flow of any dialect from a file or a text, and shows findings before it replaces the canvas. */
export function ImportDialog({ agentId, opened, onClose }: { agentId: string; opened: boolean; onClose(): void }) {
  return (
    <Modal opened={opened} onClose={onClose} title={importing.title} size="lg">
      {opened && <ImportForm agentId={agentId} onDone={onClose} />}
    </Modal>
  );
}

function ImportForm({ agentId, onDone }: { agentId: string; onDone(): void }) {
  const { commands, catalogue } = useCanvas();
  const [text, setText] = useState("");
  const reading = useMutation({ mutationFn: (flowData: string) => client.readFlow({ flowData, agentId }) });
  const read = (flowData: string) => {
    setText(flowData);
    if (flowData.trim() === "") reading.reset();
    else reading.mutate(flowData);
  };
  const found = reading.data;
  const missing = useFlowChoices(found, catalogue.types);
  const take = () => {
    if (missing.flow) commands.replaceAll(toModel(missing.flow));
    onDone();
  };
  return (
    <Stack>
      <Hint>{importing.text}</Hint>
      <FileButton accept="application/json,.json" onChange={(file) => void file?.text().then(read)}>
        {(props) => <Action {...props} icon={FileUp} label={importing.choose} />}
      </FileButton>
      <Textarea
        label={importing.paste}
        rows={5}
        value={text}
        onChange={(event) => read(event.currentTarget.value)}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 12 } }}
      />
      <ErrorNotice error={text === "" ? undefined : reading.error} title={importing.unread} />
      {found && (
        <Reading reading={found} findings={missing.findings} onEntry={read}>
          {missing.choices.length > 0 && (
            <section aria-label={importing.choices}>
              <Text size="sm" fw={600} mb={4}>
                {importing.choices}
              </Text>
              <FlowChoices flow={found.flow} choices={missing.choices} made={missing.made} onChoose={missing.choose} />
            </section>
          )}
        </Reading>
      )}
      <Group justify="flex-end">
        <Action label={importing.cancel} onClick={onDone} />
        <Action
          label={importing.replace}
          disabled={!found || found.flow.nodes.length === 0}
          onClick={take}
          variant="filled"
        />
      </Group>
    </Stack>
  );
}

type ReadingProps = {
  reading: FlowReading;
  findings: readonly Finding[];
  onEntry(flowData: string): void;
  children: ReactNode;
};

function Reading({ reading, findings, onEntry, children }: ReadingProps) {
  const { dialect, flow, flows } = reading;
  if (flows.length > 0) {
    return (
      <NativeSelect
        label={importing.several({ count: flows.length })}
        data={[
          { value: "", label: importing.chooseFlow },
          ...flows.map(({ name, flowData }) => ({ value: flowData, label: name })),
        ]}
        onChange={(event) => event.currentTarget.value !== "" && onEntry(event.currentTarget.value)}
      />
    );
  }
  return (
    <>
      {flow.nodes.length > 0 && (
        <Alert color="gray" variant="light" role="status">
          {importing.found({ dialect, steps: flow.nodes.length, connections: flow.edges.length })}
        </Alert>
      )}
      {children}
      {findings.length > 0 && (
        <section aria-label={importing.findings}>
          <Text size="sm" fw={600} mb={4}>
            {importing.findings}
          </Text>
          <FindingsList findings={findings} />
        </section>
      )}
    </>
  );
}
