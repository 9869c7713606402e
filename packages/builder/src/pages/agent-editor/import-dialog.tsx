import { Alert, Button, FileButton, Group, Modal, NativeSelect, Stack, Text, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { FlowReading } from "@weft/client";
import type { FlowDocument } from "@weft/schema";
import { FileUp } from "lucide-react";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { useCanvas } from "../../canvas/canvas-context.ts";
import { toModel } from "../../canvas/model/flow-model.ts";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { canvasStrings } from "../../strings/canvas.ts";
import { closeButton } from "./editor-dialog.ts";
import { FindingsList } from "./findings-button.tsx";

const { import: strings } = canvasStrings.editor;

/** Reads a flow of any dialect from a file or a text, and shows findings before it replaces the canvas. */
export function ImportDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  return (
    <Modal opened={opened} onClose={onClose} title={strings.title} size="lg" closeButtonProps={closeButton}>
      {opened && <ImportForm onDone={onClose} />}
    </Modal>
  );
}

function ImportForm({ onDone }: { onDone(): void }) {
  const { commands } = useCanvas();
  const [text, setText] = useState("");
  const reading = useMutation({ mutationFn: (flowData: string) => client.readFlow({ flowData }) });
  const read = (flowData: string) => {
    setText(flowData);
    if (flowData.trim() === "") reading.reset();
    else reading.mutate(flowData);
  };
  const found = reading.data;
  const take = ({ flow }: FlowReading) => {
    commands.replaceAll(toModel(flow as FlowDocument));
    onDone();
  };
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {strings.text}
      </Text>
      <FileButton accept="application/json,.json" onChange={(file) => void file?.text().then(read)}>
        {(props) => (
          <Button {...props} variant="default" leftSection={<FileUp size={16} aria-hidden />}>
            {strings.choose}
          </Button>
        )}
      </FileButton>
      <Textarea
        label={strings.paste}
        rows={5}
        value={text}
        onChange={(event) => read(event.currentTarget.value)}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 12 } }}
      />
      <ErrorNotice error={text === "" ? undefined : reading.error} title={strings.unread} />
      {found && <Reading reading={found} onEntry={read} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {strings.cancel}
        </Button>
        <Button disabled={!found || found.flow.nodes.length === 0} onClick={() => found && take(found)}>
          {strings.replace}
        </Button>
      </Group>
    </Stack>
  );
}

function Reading({ reading, onEntry }: { reading: FlowReading; onEntry(flowData: string): void }) {
  const { dialect, flow, findings, flows } = reading;
  if (flows.length > 0) {
    return (
      <NativeSelect
        label={strings.several(flows.length)}
        data={[
          { value: "", label: strings.chooseFlow },
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
          {strings.found(dialect, flow.nodes.length, flow.edges.length)}
        </Alert>
      )}
      {findings.length > 0 && (
        <section aria-label={strings.findings}>
          <Text size="sm" fw={600} mb={4}>
            {strings.findings}
          </Text>
          <FindingsList findings={findings} />
        </section>
      )}
    </>
  );
}
