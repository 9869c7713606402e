import { Badge, Drawer, Group, Skeleton, Stack, TextInput, UnstyledButton } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { AgentVersionSummary } from "@weft/client";
import { useState } from "react";
import { agentVersionQuery, agentVersionsQuery } from "../../../api/agents.ts";
import { client } from "../../../api/client.ts";
import { useMay } from "../../../api/settings.ts";
import { useEditorState } from "../../../canvas/index.ts";
import { canvasStrings } from "../../../strings.ts";
import { Moment } from "../../../ui/content/time.tsx";
import { Action } from "../../../ui/controls/actions.tsx";
import { ErrorNotice, Loaded } from "../../../ui/page/notices.tsx";
import { useRequest } from "../../../ui/page/requests.ts";
import { Hint } from "../../../ui/text/hint.tsx";
import { openFlow } from "../editor-state.ts";
import { Changes } from "./changes.tsx";
import classes from "./versions.module.css";

const { versions: strings } = canvasStrings.editor;

type VersionsDrawerProps = { agentId: string; opened: boolean; isDirty: boolean; onClose(): void; onRestored(): void };

/** The saved flows of an agent; each with how it differs from the canvas, and a way back to it. */
export function VersionsDrawer({ opened, onClose, ...list }: VersionsDrawerProps) {
  return (
    <Drawer opened={opened} onClose={onClose} position="right" size={480} title={strings.title}>
      {opened && <VersionList {...list} />}
    </Drawer>
  );
}

function VersionList({ agentId, isDirty, onRestored }: Omit<VersionsDrawerProps, "opened" | "onClose">) {
  const versions = useQuery(agentVersionsQuery(agentId));
  const [shown, setShown] = useState<number>();
  return (
    <Loaded query={versions} until={48}>
      {(list) => (
        <Stack gap={4}>
          {list.map((version) => (
            <div key={version.number} className={classes.version} data-open={shown === version.number || undefined}>
              <UnstyledButton
                className={classes.head}
                aria-expanded={shown === version.number}
                onClick={() => setShown(shown === version.number ? undefined : version.number)}
              >
                <span className={classes.number}>{strings.number({ number: version.number })}</span>
                <Hint className={classes.saved}>
                  <Moment at={version.createdDate} />
                  {version.createdBy !== null && ` · ${version.createdBy}`}
                  {version.note !== "" && <span className={classes.note}>{version.note}</span>}
                </Hint>
                {version.current && <Badge variant="light">{strings.current}</Badge>}
              </UnstyledButton>
              {shown === version.number && <Version {...{ version, isDirty, onRestored }} />}
            </div>
          ))}
        </Stack>
      )}
    </Loaded>
  );
}

type VersionProps = { version: AgentVersionSummary; isDirty: boolean; onRestored(): void };

function Version({ version, isDirty, onRestored }: VersionProps) {
  const { agentId, number, current } = version;
  const model = useEditorState((state) => state.model);
  const { data, error } = useQuery(agentVersionQuery(agentId, number, (flowData) => openFlow({ agentId, flowData })));
  const restore = useMutation({
    async mutationFn() {
      await client.restoreAgentVersion({ id: agentId, number });
      await client.discardAgentDraft({ id: agentId });
    },
    onSuccess: onRestored,
  });
  return (
    <div className={classes.body}>
      <ErrorNotice error={error ?? restore.error} />
      <Note version={version} />
      {data ? <Changes before={data.model} after={model} /> : !error && <Skeleton height={80} />}
      {!current && (
        <Group justify="space-between" mt="sm">
          <Hint size="xs">{isDirty ? strings.losesEdits : strings.keepsVersions}</Hint>
          <Action label={strings.restore({ number })} size="xs" variant="light" runs={restore} />
        </Group>
      )}
    </div>
  );
}

const longestNote = 500;

/** What people write about a version; stored when the field is left. */
function Note({ version: { agentId, number, note } }: Pick<VersionProps, "version">) {
  const mayWrite = useMay()("agents:write");
  const [text, setText] = useState(note);
  const saving = useRequest((sent: string) => client.updateAgentVersion({ id: agentId, number }, { note: sent }), {
    stale: [agentVersionsQuery(agentId).queryKey],
    isLoud: true,
  });
  if (!mayWrite && note === "") return null;
  return (
    <TextInput
      mb="sm"
      label={strings.note}
      placeholder={strings.notePlaceholder}
      maxLength={longestNote}
      readOnly={!mayWrite}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => text.trim() !== note && saving.mutate(text)}
      onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
    />
  );
}
