import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useContext, useState } from "react";
import { wholeStepQuery } from "../api/executions.ts";
import type { LucideIcon } from "../icons/create-icon.ts";
import { Pin as PinIcon, PinOff, Play } from "../icons/icons.gen.ts";
import { pinToText } from "../replay/changed-outputs.ts";
import { EditedPin } from "../replay/edited-pin.tsx";
import { ReplayButton } from "../replay/replay-button.tsx";
import { replayStrings as strings } from "../strings.ts";
import { CodeBlock } from "../ui/content/code-block.tsx";
import { Action } from "../ui/controls/actions.tsx";
import { ErrorNotice } from "../ui/page/notices.tsx";
import { type StepTrials, StepTrialsContext, useCanvas, useEditorState, useKeyed } from "./canvas-context.ts";
import type { StepRun } from "./step-run.ts";

type Props = { nodeId: string; run: StepRun | undefined };

/** Runs a step alone, replays from it, and pins its result. Empty if no draft can be run. */
export function StepActions({ nodeId, run }: Props) {
  const trials = useContext(StepTrialsContext);
  const label = useEditorState(({ model }) => model.nodes.get(nodeId)?.label) || nodeId;
  return (
    trials && (
      <Stack gap={8}>
        <Group gap={8}>
          <RunButton nodeId={nodeId} trials={trials} />
          {run && (
            <ReplayButton executionId={run.executionId} from={{ nodeId }} label={label} beforeStart={trials.save} />
          )}
          {run?.status === "FINISHED" && <PinButton nodeId={nodeId} run={run} />}
        </Group>
        {run?.isTrial && run.status === "STOPPED" && <TrialWait nodeId={nodeId} trials={trials} />}
        <PinnedOutput nodeId={nodeId} />
      </Stack>
    )
  );
}

function RunButton({ nodeId, trials }: { nodeId: string; trials: StepTrials }) {
  const { attention } = useCanvas();
  const act = () => {
    attention.demand(nodeId);
    return trials.run(nodeId);
  };
  return <ActButton icon={Play} label={strings.run} act={act} />;
}

type ActButtonProps = { icon: LucideIcon; label: string; act(): Promise<void> };

/** Shows the error of a failed action beside it. */
function ActButton({ icon: Icon, label, act }: ActButtonProps) {
  const { mutate, isPending, error } = useMutation({ mutationFn: act });
  return (
    <>
      <Action icon={Icon} label={label} size="xs" runs={{ mutate, isPending }} />
      {error && <ErrorNotice error={error} />}
    </>
  );
}

/** A step that would change something asks first, here too. */
function TrialWait({ nodeId, trials }: { nodeId: string; trials: StepTrials }) {
  const answer = useMutation({ mutationFn: (type: "proceed" | "reject") => trials.answer(nodeId, type) });
  return (
    <Alert variant="light" color="orange" p="xs">
      {strings.waits}
      <Group gap={8} mt={8}>
        <Action
          label={strings.approve}
          size="compact-xs"
          loading={answer.isPending}
          onClick={() => answer.mutate("proceed")}
          variant="filled"
        />
        <Action
          label={strings.reject}
          size="compact-xs"
          disabled={answer.isPending}
          onClick={() => answer.mutate("reject")}
        />
      </Group>
      <ErrorNotice error={answer.error} />
    </Alert>
  );
}

function PinButton({ nodeId, run: { executionId, nodeKey } }: { nodeId: string; run: StepRun }) {
  const queries = useQueryClient();
  const { pins } = useCanvas();
  const isPinned = useKeyed(pins, nodeId) !== undefined;
  async function pin() {
    const step = await queries.fetchQuery(wholeStepQuery(executionId, nodeKey));
    if (step?.pin === undefined) throw new Error(strings.gone);
    pins.set(nodeId, step.pin);
  }
  return isPinned ? null : <ActButton icon={PinIcon} label={strings.pin} act={pin} />;
}

function PinnedOutput({ nodeId }: { nodeId: string }) {
  const { pins } = useCanvas();
  const pin = useKeyed(pins, nodeId);
  const [isEditing, setEditing] = useState(false);
  if (pin === undefined) return null;
  if (isEditing) {
    return (
      <EditedPin
        label={strings.pinnedOutput}
        pin={pin}
        onSave={(edited) => {
          pins.set(nodeId, edited);
          setEditing(false);
        }}
        onCancel={() => setEditing(false)}
      />
    );
  }
  return (
    <Alert variant="light" color="gray" p="xs" icon={<PinIcon size={16} aria-hidden />} title={strings.pinned}>
      <Text size="sm">{strings.pinnedText}</Text>
      <CodeBlock text={pinToText(pin)} label={strings.pinnedOutput} />
      <Group gap={8} mt={8}>
        <Action label={strings.edit} size="compact-xs" onClick={() => setEditing(true)} />
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<PinOff size={12} aria-hidden />}
          onClick={() => pins.set(nodeId, undefined)}
        >
          {strings.unpin}
        </Button>
      </Group>
    </Alert>
  );
}
