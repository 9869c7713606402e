import { Anchor, Group, Loader, Stack, Text, Textarea } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { FlowEdit } from "@weft/schema";
import { type KeyboardEvent, useState } from "react";
import { Sparkles } from "../icons/icons.gen.ts";
import { commonStrings, modelsStrings, draftingStrings as strings } from "../strings.ts";
import { Action } from "../ui/controls/actions.tsx";
import { ErrorNotice } from "../ui/page/notices.tsx";
import { Hint } from "../ui/text/hint.tsx";
import { type Drafting, useCanDraft } from "./use-drafting.ts";

type Props = {
  drafting: Drafting;
  label: string;
  placeholder: string;
  submitLabel: string;
  onSubmit(request: string): void;
};

const longestRequest = 8_000;

/** A field for what a model should draft, and what it does meanwhile. Without a model it says where to connect one. */
export function DescribeForm({ drafting, label, placeholder, submitLabel, onSubmit }: Props) {
  const [request, setRequest] = useState("");
  const canDraft = useCanDraft();
  const isReady = canDraft === true && request.trim() !== "" && !drafting.isRunning;
  const submit = () => isReady && onSubmit(request.trim());
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit();
  };
  return (
    <Stack gap="sm">
      <Textarea
        label={label}
        placeholder={placeholder}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={longestRequest}
        disabled={canDraft === false}
        value={request}
        onChange={(event) => setRequest(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Group justify="space-between" gap="sm">
        <Progress drafting={drafting} hasModel={canDraft !== false} />
        <Group gap="xs" ml="auto">
          {drafting.isRunning && <Action label={commonStrings.cancel} variant="subtle" onClick={drafting.cancel} />}
          <Action
            icon={Sparkles}
            label={submitLabel}
            variant="filled"
            disabled={!isReady}
            loading={drafting.isRunning}
            onClick={submit}
          />
        </Group>
      </Group>
      <ErrorNotice error={drafting.error} title={strings.failed} />
    </Stack>
  );
}

function Progress({ drafting: { edits, isRunning }, hasModel }: { drafting: Drafting; hasModel: boolean }) {
  if (!hasModel) {
    return (
      <Hint>
        {strings.noModel}{" "}
        <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/models" {...props} />}>
          {modelsStrings.title}
        </Anchor>
      </Hint>
    );
  }
  if (!isRunning) return <Hint>{strings.privacy}</Hint>;
  const last = edits.at(-1);
  return (
    <Group gap="xs" role="status">
      <Loader size="xs" aria-hidden />
      <Text size="sm">{last === undefined ? strings.reading : toSentence(last)}</Text>
    </Group>
  );
}

function toSentence({ kind, label }: FlowEdit): string {
  return strings.edits[kind]({ label });
}
