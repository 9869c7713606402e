import { Stack, TagsInput, TextInput } from "@mantine/core";
import { agentSettingsStrings as strings } from "../../strings/agent-settings.ts";
import type { SettingsFields } from "./settings-fields.ts";

export function OriginFields({ draft, change }: SettingsFields) {
  return (
    <Stack gap="md">
      <TagsInput
        label={strings.origins}
        description={strings.originsHelp}
        value={[...draft.origins]}
        onChange={(origins) => change({ origins })}
      />
      {draft.origins.length > 0 && (
        <TextInput
          label={strings.originsMessage}
          value={draft.originsMessage}
          onChange={(event) => change({ originsMessage: event.currentTarget.value })}
        />
      )}
    </Stack>
  );
}
