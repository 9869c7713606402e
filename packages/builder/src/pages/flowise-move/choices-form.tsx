import { Checkbox, FileButton, Group, PasswordInput, Radio, Select, Stack, Text } from "@mantine/core";
import type { FlowiseImport, FlowiseImportStart } from "@weft/client";
import { type SubmitEvent, useState } from "react";
import { commonStrings, flowiseMoveStrings as strings } from "../../strings.ts";
import { Action } from "../../ui/controls/actions.tsx";
import { ErrorNotice } from "../../ui/page/notices.tsx";
import { Section } from "../../ui/page/page.tsx";

export type Choices = {
  /** Empty: none; undefined: the one that the server has. */
  key: string | undefined;
  /** Null: all of them. */
  workspace: string | null;
  openFlows: OpenFlows;
  /** Whether credentials may go where the flows send them. No dry run depends on it. */
  confirmDestinations: boolean;
};

type OpenFlows = keyof typeof strings.openFlowsChoices;

export function toStart({ key, workspace, ...choices }: Choices): Omit<FlowiseImportStart, "dryRun"> {
  return { ...choices, ...(key !== undefined && { key }), ...(workspace !== null && { workspace }) };
}

type Props = {
  file: NonNullable<FlowiseImport["file"]>;
  hasKey: boolean;
  choices: Choices;
  isBusy: boolean;
  submitLabel: string;
  /** Whether a dry run is the next step. */
  isPrimary: boolean;
  onChange(choices: Choices): void;
  onSubmit(): void;
};

/** Key, workspace, what becomes of agents that answer everyone, and where credentials may go; starts a dry run. */
export function ChoicesForm({ file, choices, isBusy, submitLabel, isPrimary, onChange, onSubmit }: Props) {
  const { workspaces } = file;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Section title={strings.choices}>
      <form onSubmit={submit}>
        <Stack maw={560}>
          <KeyChoice
            {...{ isBusy, value: choices.key, isExport: /\.json$/i.test(file.name) }}
            onChange={(key) => onChange({ ...choices, key })}
          />
          {workspaces.length > 1 && (
            <Select
              label={strings.workspace}
              disabled={isBusy}
              allowDeselect={false}
              value={choices.workspace ?? ""}
              onChange={(workspace) => onChange({ ...choices, workspace: workspace || null })}
              data={[{ value: "", label: strings.allWorkspaces }, ...new Set(workspaces)]}
            />
          )}
          <Radio.Group
            label={strings.openFlows}
            description={strings.openFlowsText}
            value={choices.openFlows}
            onChange={(openFlows) => onChange({ ...choices, openFlows })}
          >
            <Stack mt={8} gap={8}>
              {(["closed", "public"] as const).map((value) => (
                <Radio key={value} value={value} label={strings.openFlowsChoices[value]} disabled={isBusy} />
              ))}
            </Stack>
          </Radio.Group>
          <Checkbox
            label={strings.destinations}
            description={strings.destinationsText}
            disabled={isBusy}
            checked={choices.confirmDestinations}
            onChange={(event) => onChange({ ...choices, confirmDestinations: event.currentTarget.checked })}
          />
          <Group>
            <Action label={submitLabel} type="submit" variant={isPrimary ? "filled" : "default"} disabled={isBusy} />
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

type KeyChoiceProps = {
  value: string | undefined;
  isExport: boolean;
  isBusy: boolean;
  onChange(key: string): void;
};

const longestKey = 10_000;

function KeyChoice({ value, isExport, isBusy, onChange }: KeyChoiceProps) {
  const [error, setError] = useState<Error>();
  if (isExport) return <Text size="sm">{strings.noKeyNeeded}</Text>;
  if (value === undefined) {
    return (
      <div>
        <Text size="sm" fw={500} mb={6}>
          {strings.key}
        </Text>
        <Group gap="sm">
          <Text size="sm">{strings.keyGiven}</Text>
          <Action label={strings.changeKey} size="xs" disabled={isBusy} onClick={() => onChange("")} />
        </Group>
      </div>
    );
  }
  const readFile = async (file: File | null) => {
    if (file === null) return;
    const isTooLarge = file.size > longestKey;
    setError(isTooLarge ? new Error(strings.notAKey({ name: file.name })) : undefined);
    if (!isTooLarge) onChange((await file.text()).trim());
  };
  return (
    <Stack gap="xs">
      <PasswordInput
        label={strings.key}
        description={strings.keyText}
        autoComplete="off"
        disabled={isBusy}
        maxLength={longestKey}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        visibilityToggleButtonProps={{ "aria-label": commonStrings.showPassword }}
      />
      <ErrorNotice error={error} />
      <Group>
        <FileButton onChange={(file) => void readFile(file)}>
          {(props) => <Action {...props} label={strings.readKey} size="xs" disabled={isBusy} />}
        </FileButton>
      </Group>
    </Stack>
  );
}
