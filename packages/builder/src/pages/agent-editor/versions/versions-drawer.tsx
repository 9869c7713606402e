import { Alert, Badge, Drawer, Group, Skeleton, Stack, Text, Textarea, TextInput, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { AgentVersionSummary, AgentVersionUpdate } from "@weft/client";
import { longestVersionTexts } from "@weft/schema";
import { useEffect, useRef, useState } from "react";
import { agentVersionQuery, agentVersionsQuery } from "../../../api/agents.ts";
import { client } from "../../../api/client.ts";
import { useMay } from "../../../api/settings.ts";
import { type FlowModel, useCanvas, useEditorState } from "../../../canvas/index.ts";
import { canvasStrings, commonStrings } from "../../../strings.ts";
import { Moment } from "../../../ui/content/time.tsx";
import { Action } from "../../../ui/controls/actions.tsx";
import { ErrorNotice, Loaded, notifyDone } from "../../../ui/page/notices.tsx";
import { useRequest } from "../../../ui/page/requests.ts";
import { Hint } from "../../../ui/text/hint.tsx";
import { openFlow } from "../editor-state.ts";
import { ChangedSteps, Changes } from "./changes.tsx";
import { diffFlows, isEmptyDifference } from "./diff-flows.ts";
import classes from "./versions.module.css";

const { versions: strings } = canvasStrings.editor;

type Props = { agentId: string; opened: boolean; isDirty: boolean; onClose(): void };

/** The published flows of an agent; each with how it differs from the canvas, and a way back to it. */
export function VersionsDrawer({ opened, ...list }: Props) {
  return (
    <Drawer opened={opened} onClose={list.onClose} position="right" size={480} title={strings.title}>
      {opened && <VersionList {...list} />}
    </Drawer>
  );
}

function VersionList({ agentId, isDirty, onClose }: Omit<Props, "opened">) {
  const versions = useQuery(agentVersionsQuery(agentId));
  const [shown, setShown] = useState<number>();
  return (
    <Loaded query={versions} until={48}>
      {(list) => (
        <Stack gap={4}>
          {list.length === 0 && <Hint>{strings.none}</Hint>}
          {list.map((version) => (
            <div key={version.number} className={classes.version} data-open={shown === version.number || undefined}>
              <UnstyledButton
                className={classes.head}
                aria-expanded={shown === version.number}
                onClick={() => setShown(shown === version.number ? undefined : version.number)}
              >
                <VersionHead version={version} />
              </UnstyledButton>
              {shown === version.number && (
                <Version
                  version={version}
                  published={isDirty ? list.find(({ current }) => current) : undefined}
                  onRestored={onClose}
                />
              )}
            </div>
          ))}
        </Stack>
      )}
    </Loaded>
  );
}

function VersionHead({
  version: { number, name, note, current, createdDate, createdBy },
}: Pick<VersionProps, "version">) {
  return (
    <>
      <span className={classes.saved}>
        <span className={classes.number}>{nameOf({ number, name })}</span>
        <Hint span className={classes.note}>
          <Moment at={createdDate} />
          {createdBy !== null && ` · ${createdBy}`}
        </Hint>
        {note !== "" && <span className={classes.note}>{note}</span>}
      </span>
      {current && <Badge variant="light">{strings.current}</Badge>}
    </>
  );
}

function nameOf({ number, name }: Pick<AgentVersionSummary, "number" | "name">): string {
  return name === "" ? strings.number({ number }) : strings.named({ number, name });
}

type VersionProps = {
  version: AgentVersionSummary;
  /** The version that the draft would be published over; undefined where the draft is the published flow. */
  published: AgentVersionSummary | undefined;
  onRestored(): void;
};

const flowQuery = ({ agentId, number }: Pick<AgentVersionSummary, "agentId" | "number">) =>
  agentVersionQuery(agentId, number, (flowData) => openFlow({ agentId, flowData }));

function Version({ version, published, onRestored }: VersionProps) {
  const mayWrite = useMay()("agents:write");
  const model = useEditorState((state) => state.model);
  const { data, error } = useQuery(flowQuery(version));
  return (
    <div className={classes.body}>
      <ErrorNotice error={error} />
      <Texts version={version} />
      {data && data.problems.length > 0 && (
        <Alert variant="light" color="yellow" mb="sm">
          {data.problems.join(" ")}
        </Alert>
      )}
      {data && data.problems.length === 0 && (
        <>
          <Changes before={data.model} after={model} />
          {mayWrite && <Restore version={version} flow={data.model} published={published} onRestored={onRestored} />}
        </>
      )}
      {!data && !error && <Skeleton height={80} />}
    </div>
  );
}

/** Puts a version into the draft, as one edit that undo takes back. Asks before it replaces what nobody published. */
function Restore({ version, flow, published, onRestored }: VersionProps & { flow: FlowModel }) {
  const { editor, commands } = useCanvas();
  const model = useEditorState((state) => state.model);
  const [isAsking, setAsking] = useState(false);
  const name = nameOf(version);
  const restore = () => {
    const { nodes } = diffFlows(flow, editor.state().model);
    commands.restore(flow);
    onRestored();
    notifyDone(strings.restored({ name, count: nodes.length }));
  };
  if (isAsking && published) {
    return <ReplaceQuestion name={name} published={published} onCancel={() => setAsking(false)} onReplace={restore} />;
  }
  return (
    <Group justify="space-between" mt="sm" wrap="nowrap">
      <Hint size="xs">{strings.neverPublishes}</Hint>
      <Action
        label={strings.restore({ number: version.number })}
        size="xs"
        variant="light"
        className={classes.restore}
        disabled={isEmptyDifference(diffFlows(flow, model))}
        onClick={() => (published ? setAsking(true) : restore())}
      />
    </Group>
  );
}

type QuestionProps = { name: string; published: AgentVersionSummary; onCancel(): void; onReplace(): void };

/** Says what of the draft a version replaces. Takes the focus: the button that asked for it is gone. */
function ReplaceQuestion({ name, published, onCancel, onReplace }: QuestionProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  useEffect(() => cancel.current?.focus(), []);
  return (
    <Alert variant="light" color="yellow" title={strings.replaceTitle} mt="sm">
      <Text size="sm" mb="sm">
        {strings.replaceText({ name })}
      </Text>
      <Unpublished published={published} />
      <Group mt="md" justify="flex-end" gap="xs">
        <Action label={commonStrings.cancel} ref={cancel} size="xs" onClick={onCancel} />
        <Action label={strings.replace} size="xs" variant="filled" onClick={onReplace} />
      </Group>
    </Alert>
  );
}

/** What the draft changes of what is published. */
function Unpublished({ published }: { published: AgentVersionSummary }) {
  const model = useEditorState((state) => state.model);
  const flow = useQuery(flowQuery(published));
  return (
    <Loaded query={flow} until={40}>
      {(opened) => <ChangedSteps difference={diffFlows(opened.model, model)} />}
    </Loaded>
  );
}

/** What people call a version and write about it; stored when a field is left. */
function Texts({ version: { agentId, number, name, note } }: Pick<VersionProps, "version">) {
  const mayWrite = useMay()("agents:write");
  const [typedName, setName] = useState(name);
  const [typedNote, setNote] = useState(note);
  const saving = useRequest((texts: AgentVersionUpdate) => client.updateAgentVersion({ id: agentId, number }, texts), {
    stale: [agentVersionsQuery(agentId).queryKey],
    isLoud: true,
  });
  if (!mayWrite) return note === "" ? null : <Text className={classes.wholeNote}>{note}</Text>;
  return (
    <Stack gap="xs" mb="sm">
      <TextInput
        label={strings.name}
        placeholder={strings.namePlaceholder}
        maxLength={longestVersionTexts.name}
        value={typedName}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={() => typedName.trim() !== name && saving.mutate({ name: typedName })}
        onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
      />
      <Textarea
        label={strings.note}
        placeholder={strings.notePlaceholder}
        maxLength={longestVersionTexts.note}
        autosize
        minRows={1}
        maxRows={8}
        value={typedNote}
        onChange={(event) => setNote(event.currentTarget.value)}
        onBlur={() => typedNote.trim() !== note && saving.mutate({ note: typedNote })}
      />
    </Stack>
  );
}
