import { Alert, Badge, Checkbox, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Execution, ExecutionStep, Pin } from "@weft/client";
import { useState } from "react";
import { client } from "../api/client.ts";
import { executionKeys, executionQuery, wholeStepQuery } from "../api/executions.ts";
import { commonStrings, replayStrings as strings } from "../strings.ts";
import { Action } from "../ui/controls/actions.tsx";
import { ErrorNotice, Loaded } from "../ui/page/notices.tsx";
import { Hint } from "../ui/text/hint.tsx";
import { stepsBefore } from "./changed-outputs.ts";
import { EditedPin } from "./edited-pin.tsx";

/** Which run is replayed, and from where. */
export type ReplaySource = {
  executionId: string;
  /** One execution of a step, or a step as it stands in the draft. */
  from: { nodeKey: string } | { nodeId: string };
  label: string;
  /** Saves what is edited, so that it can be replayed. Absent: nothing is open. */
  beforeStart?(): Promise<boolean>;
};

type Props = ReplaySource & { onClose(): void };

export function ReplayDialog({ onClose, ...source }: Props) {
  return (
    <Modal opened onClose={onClose} title={strings.title({ step: source.label })} size="lg">
      <Stack>
        <Hint>{strings.text}</Hint>
        <Loaded query={useQuery(executionQuery(source.executionId))} until={160}>
          {(execution) => <ReplayForm {...source} execution={execution} onClose={onClose} />}
        </Loaded>
      </Stack>
    </Modal>
  );
}

function ReplayForm({ executionId, from, beforeStart, execution, onClose }: Props & { execution: Execution }) {
  const isOfEditor = beforeStart !== undefined;
  const [question, setQuestion] = useState(execution.question);
  const [outputs, setOutputs] = useState<Readonly<Record<string, Pin>>>({});
  const [usesDraft, setUsesDraft] = useState(isOfEditor);
  const start = useReplay({ executionId, from, ...(beforeStart && { beforeStart }) });
  const before = stepsBefore(execution.steps, from).filter(({ type }) => type !== "start");
  const change = (nodeId: string, pin: Pin | undefined) => {
    const { [nodeId]: _, ...others } = outputs;
    setOutputs(pin === undefined ? others : { ...others, [nodeId]: pin });
  };
  const isAsked = question !== execution.question ? { question } : {};
  return (
    <>
      {execution.question !== "" && (
        <Textarea
          label={strings.question}
          autosize
          minRows={1}
          maxRows={6}
          value={question}
          onChange={(event) => setQuestion(event.currentTarget.value)}
        />
      )}
      {before.length > 0 && (
        <Stack gap={8} component="section" aria-label={strings.before}>
          <Text size="sm" fw={600}>
            {strings.before}
          </Text>
          {before.map((step) => (
            <EarlierStep
              key={step.nodeId}
              executionId={executionId}
              step={step}
              changed={outputs[step.nodeId]}
              onChange={(pin) => change(step.nodeId, pin)}
            />
          ))}
        </Stack>
      )}
      <Checkbox
        label={strings.draft}
        description={strings.draftHelp}
        checked={usesDraft}
        onChange={(event) => setUsesDraft(event.currentTarget.checked)}
      />
      <ErrorNotice error={start.error} />
      <Group justify="flex-end">
        <Action label={strings.cancel} onClick={onClose} />
        <Action
          label={strings.start}
          loading={start.isPending}
          onClick={() => start.mutate({ ...isAsked, outputs: withoutPorts(outputs), draft: usesDraft })}
          variant="filled"
        />
      </Group>
    </>
  );
}

type Changes = Omit<Parameters<typeof client.replayExecution>[1], "nodeKey" | "nodeId">;

/** Begins the replay and goes to it. */
function useReplay({ executionId, from, beforeStart }: Pick<ReplaySource, "executionId" | "from" | "beforeStart">) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    async mutationFn(changes: Changes) {
      await beforeStart?.();
      return client.replayExecution({ id: executionId }, { ...from, ...changes });
    },
    async onSuccess({ id }) {
      void queries.invalidateQueries({ queryKey: executionKeys.all });
      await navigate({ to: "/executions/$executionId", params: { executionId: id } });
    },
  });
}

function withoutPorts(outputs: Readonly<Record<string, Pin>>): NonNullable<Changes["outputs"]> {
  return Object.fromEntries(Object.entries(outputs).map(([nodeId, { ports: _, ...pin }]) => [nodeId, pin]));
}

type EarlierStepProps = {
  executionId: string;
  step: ExecutionStep;
  changed: Pin | undefined;
  onChange(pin: Pin | undefined): void;
};

function EarlierStep({ executionId, step, changed, onChange }: EarlierStepProps) {
  const [isOpen, setOpen] = useState(false);
  const whole = useQuery({ ...wholeStepQuery(executionId, step.nodeKey), enabled: isOpen });
  const isGone = whole.isFetched && whole.data?.pin === undefined;
  return (
    <div>
      <Group justify="space-between">
        <Group gap={8}>
          <Text size="sm">{step.nodeLabel}</Text>
          {changed && <Badge variant="light">{strings.changed}</Badge>}
        </Group>
        {!isOpen && (
          <Action
            label={strings.change}
            size="compact-xs"
            variant="subtle"
            aria-label={commonStrings.labelled({ label: strings.change, value: step.nodeLabel })}
            onClick={() => setOpen(true)}
          />
        )}
      </Group>
      {isOpen && isGone && <Alert color="orange">{strings.gone}</Alert>}
      {isOpen && !isGone && (
        <EditedPin
          label={strings.outputOf({ step: step.nodeLabel })}
          pin={changed ?? whole.data?.pin}
          saveLabel={strings.take}
          onSave={(pin) => {
            onChange(pin);
            setOpen(false);
          }}
          cancelLabel={strings.keep}
          onCancel={() => {
            onChange(undefined);
            setOpen(false);
          }}
        />
      )}
    </div>
  );
}
