import { Alert, Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import type { NewApiKey } from "@weft/client";
import { TriangleAlert } from "lucide-react";
import { CopyButton } from "../../components/copy-button.tsx";
import { apiKeysStrings } from "../../strings/api-keys.ts";

/** Shows a key the one time that it can be shown. A click beside it does not close it. */
export function NewKeyDialog({ created, onClose }: { created: NewApiKey; onClose: () => void }) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={apiKeysStrings.shownOnceTitle}
      closeOnClickOutside={false}
      withCloseButton={false}
      size="lg"
    >
      <Stack>
        <Alert color="yellow" variant="light" icon={<TriangleAlert size={18} aria-hidden />}>
          {apiKeysStrings.shownOnceText}
        </Alert>
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            label={apiKeysStrings.newKey}
            readOnly
            flex={1}
            ff="monospace"
            value={created.apiKey}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton text={created.apiKey} variant="filled" />
        </Group>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {apiKeysStrings.copied}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
