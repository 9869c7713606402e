import { Badge, Button, Drawer, Group, Skeleton, Stack, Text, UnstyledButton } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { AgentVersionSummary } from "@weft/client";
import { useState } from "react";
import { agentVersionQuery, agentVersionsQuery } from "../../api/agent-versions.ts";
import { client } from "../../api/client.ts";
import { useEditorState } from "../../canvas/canvas-context.ts";
import { diffFlows } from "../../canvas/model/diff-flows.ts";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { Moment } from "../../components/moment.tsx";
import { canvasStrings } from "../../strings/canvas.ts";
import { closeButton } from "./close-button.ts";
import { openFlow } from "./open-flow.ts";
import { VersionDiff } from "./version-diff.tsx";
import classes from "./versions.module.css";

const { versions: strings } = canvasStrings.editor;

type Props = { agentId: string; opened: boolean; isDirty: boolean; onClose(): void; onRestored(): void };

/** The saved flows of an agent; each with how it differs from the canvas, and a way back to it. */
export function VersionsDrawer({ opened, onClose, ...list }: Props) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={480}
      title={strings.title}
      closeButtonProps={closeButton}
    >
      {opened && <VersionList {...list} />}
    </Drawer>
  );
}

function VersionList({ agentId, isDirty, onRestored }: Omit<Props, "opened" | "onClose">) {
  const versions = useQuery(agentVersionsQuery(agentId));
  const [shown, setShown] = useState<number>();
  if (versions.error) return <ErrorNotice error={versions.error} onRetry={() => void versions.refetch()} />;
  if (!versions.data) return <Skeleton height={48} radius="md" />;
  return (
    <Stack gap={4}>
      {versions.data.map((version) => (
        <div key={version.number} className={classes.version} data-open={shown === version.number || undefined}>
          <UnstyledButton
            className={classes.head}
            aria-expanded={shown === version.number}
            onClick={() => setShown(shown === version.number ? undefined : version.number)}
          >
            <span className={classes.number}>{strings.number(version.number)}</span>
            <Text size="sm" c="dimmed">
              <Moment at={version.createdDate} />
            </Text>
            {version.current && <Badge variant="light">{strings.current}</Badge>}
          </UnstyledButton>
          {shown === version.number && <Version {...{ version, isDirty, onRestored }} />}
        </div>
      ))}
    </Stack>
  );
}

type VersionProps = { version: AgentVersionSummary; isDirty: boolean; onRestored(): void };

function Version({ version: { agentId, number, current }, isDirty, onRestored }: VersionProps) {
  const model = useEditorState((state) => state.model);
  const { data, error } = useQuery(agentVersionQuery(agentId, number, (text) => openFlow(text)));
  const restore = useMutation({
    mutationFn: () => client.restoreAgentVersion({ id: agentId, number }),
    onSuccess: onRestored,
  });
  return (
    <div className={classes.body}>
      <ErrorNotice error={error ?? restore.error} />
      {data ? <VersionDiff difference={diffFlows(data.model, model)} /> : !error && <Skeleton height={80} />}
      {!current && (
        <Group justify="space-between" mt="sm">
          <Text size="xs" c="dimmed">
            {isDirty ? strings.losesEdits : strings.keepsVersions}
          </Text>
          <Button size="xs" variant="light" loading={restore.isPending} onClick={() => restore.mutate()}>
            {strings.restore(number)}
          </Button>
        </Group>
      )}
    </div>
  );
}
