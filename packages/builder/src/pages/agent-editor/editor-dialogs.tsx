import {
  Badge,
  Button,
  Drawer,
  Group,
  Modal,
  Skeleton,
  Stack,
  Tabs,
  Text,
  TextInput,
  UnstyledButton,
} from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useBlocker } from "@tanstack/react-router";
import type { Agent, AgentVersionSummary } from "@weft/client";
import type { Json } from "@weft/schema";
import { lazy, Suspense, useState } from "react";
import { agentVersionQuery, agentVersionsQuery } from "../../api/agents.ts";
import { client } from "../../api/client.ts";
import { useMay } from "../../api/settings.ts";
import { type FlowModel, useCanvas, useEditorState } from "../../canvas/index.ts";
import { shownLabel } from "../../described/node-title.ts";
import { canvasStrings } from "../../strings.ts";
import { Moment } from "../../ui/content/time.tsx";
import { Action } from "../../ui/controls/actions.tsx";
import { NodeIcon } from "../../ui/node-icon.tsx";
import { ErrorNotice, Loaded } from "../../ui/page/notices.tsx";
import { useRequest } from "../../ui/page/requests.ts";
import { Hint } from "../../ui/text/hint.tsx";
import { DestinationsDialog, type Publishing } from "./destinations-dialog.tsx";
import { diffFlows, type FlowDifference, isEmptyDifference, type NodeDifference } from "./diff-flows.ts";
import { type AgentSave, type EditorDialog, openFlow } from "./editor-state.ts";
import { ImportDialog } from "./import-dialog.tsx";
import { ShareDialog } from "./share/share-dialog.tsx";
import type { OpenDraft } from "./use-draft.ts";
import classes from "./versions.module.css";

const VersionText = lazy(async () => ({ default: (await import("./version-text.tsx")).VersionText }));

type Props = {
  agent: Agent;
  saving: AgentSave;
  draft: OpenDraft;
  dialog: EditorDialog;
  publishing: Publishing;
  onClose(): void;
  onReload(): void;
};

/** The dialogs of the editor: opened from its menu, or because a decision is needed. */
export function EditorDialogs({ agent, saving, draft, dialog, publishing, onClose, onReload }: Props) {
  return (
    <>
      <VersionsDrawer
        agentId={agent.id}
        opened={dialog === "versions"}
        isDirty={saving.isDirty}
        onClose={onClose}
        onRestored={onReload}
      />
      <ImportDialog agentId={agent.id} opened={dialog === "import"} onClose={onClose} />
      <ShareDialog
        agent={agent}
        saving={saving}
        publish={publishing.publish}
        opened={dialog === "share"}
        onClose={onClose}
      />
      <DestinationsDialog publishing={publishing} saving={saving} />
      <ConflictDialog saving={saving} onReload={onReload} />
      <UnsavedGuard draft={draft} />
    </>
  );
}

const { conflict } = canvasStrings.editor;

/** Someone else saved the agent meanwhile: one of the two flows becomes the newest version, and the other one stays among them. */
function ConflictDialog({ saving, onReload }: { saving: AgentSave; onReload(): void }) {
  return (
    <Modal opened={saving.hasConflict} onClose={saving.dismissConflict} title={conflict.title}>
      <Text size="sm">{conflict.text}</Text>
      <Group mt="lg" justify="flex-end">
        <Action label={conflict.loadTheirs} onClick={onReload} />
        <Action
          label={conflict.keepMine}
          loading={saving.isPublishing}
          onClick={() => void saving.publish({ overwrite: true })}
          variant="filled"
        />
      </Group>
    </Modal>
  );
}

const { leaving: unsaved } = canvasStrings.editor;

/** Saves before one leaves, and asks where that fails. The browser itself asks before a reload or a closed tab. */
function UnsavedGuard({ draft: { shown, flush } }: { draft: OpenDraft }) {
  const blocker = useBlocker({
    shouldBlockFn: async ({ current, next }) => current.pathname !== next.pathname && !(await flush()),
    enableBeforeUnload: shown.kind !== "saved",
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  const { proceed, reset } = blocker;
  return (
    <Modal opened onClose={reset} title={unsaved.title}>
      <Text size="sm">{unsaved.text}</Text>
      <Group mt="lg" justify="flex-end">
        <Action label={unsaved.leave} variant="subtle" color="red" onClick={proceed} />
        <Button onClick={reset}>{unsaved.stay}</Button>
      </Group>
    </Modal>
  );
}

const { versions: strings } = canvasStrings.editor;

type VersionsDrawerProps = { agentId: string; opened: boolean; isDirty: boolean; onClose(): void; onRestored(): void };

/** The saved flows of an agent; each with how it differs from the canvas, and a way back to it. */
function VersionsDrawer({ opened, onClose, ...list }: VersionsDrawerProps) {
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

const { diff: changes } = canvasStrings.editor;

/** The changes since a version, by what they mean or as text. */
function Changes({ before, after }: { before: FlowModel; after: FlowModel }) {
  return (
    <Tabs defaultValue="steps" keepMounted={false} mb="sm">
      <Tabs.List aria-label={changes.views} mb="sm">
        <Tabs.Tab value="steps">{changes.steps}</Tabs.Tab>
        <Tabs.Tab value="text">{changes.text}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="steps">
        <VersionDiff difference={diffFlows(before, after)} />
      </Tabs.Panel>
      <Tabs.Panel value="text">
        <Suspense fallback={<Skeleton height={80} />}>
          <VersionText before={before} after={after} />
        </Suspense>
      </Tabs.Panel>
    </Tabs>
  );
}

/** The changes since a version: steps added, removed and changed, field by field. */
function VersionDiff({ difference }: { difference: FlowDifference }) {
  const { nodes, edges, moved } = difference;
  if (isEmptyDifference(difference)) return <Hint>{changes.none}</Hint>;
  const added = edges.filter(({ type }) => type === "added").length;
  return (
    <>
      <Hint size="xs" mb={8}>
        {changes.since}
      </Hint>
      <ul className={classes.changes}>
        {nodes.map((change) => (
          <NodeChange key={`${change.type} ${change.node.id}`} change={change} />
        ))}
        {edges.length > 0 && (
          <li className={classes.fact}>{changes.edges({ added, removed: edges.length - added })}</li>
        )}
        {moved > 0 && <li className={classes.fact}>{changes.moved({ count: moved })}</li>}
      </ul>
    </>
  );
}

function NodeChange({ change }: { change: NodeDifference }) {
  const { node, type } = change;
  const nodeType = useCanvas().catalogue.typeOf(node);
  return (
    <li>
      <div className={classes.node}>
        <NodeIcon icon={nodeType?.icon} group={nodeType?.group} size="sm" />
        <span className={classes.label}>{shownLabel(node.label, nodeType) || node.id}</span>
        <span className={classes.kind} data-kind={type}>
          {changes.kinds[type]}
        </span>
      </div>
      {type === "changed" && (
        <dl className={classes.fields}>
          {change.fields.map(({ path, before, after }) => (
            <div key={path}>
              <dt>{path}</dt>
              {before !== undefined && (
                <dd>
                  <del>{toText(before)}</del>
                </dd>
              )}
              {after !== undefined && (
                <dd>
                  <ins>{toText(after)}</ins>
                </dd>
              )}
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

function toText(value: Json): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text === "" ? changes.emptyText : text.slice(0, 2_000);
}
