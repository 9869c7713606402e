import { Button, FileButton, Group, Text } from "@mantine/core";
import { Upload } from "lucide-react";
import { formStrings } from "../../strings/forms.ts";
import { CodeEditor } from "../code/code-editor.tsx";
import { fromText } from "../fields/update-value.ts";
import type { WidgetProps } from "../form/form-scope.ts";

/** The text of a file, uploaded or pasted. */
export function FileWidget({ field, value, onChange, labelId, describedBy, isInvalid, isDisabled }: WidgetProps) {
  const text = typeof value === "string" ? value : "";
  const read = async (file: File | null) => {
    if (file !== null) onChange(fromText(field, await file.text()));
  };
  return (
    <>
      <CodeEditor
        language="text"
        value={text}
        onChange={(typed) => onChange(fromText(field, typed))}
        placeholder={formStrings.pasteHere}
        maxLines={8}
        labelledBy={labelId}
        {...{ describedBy, isInvalid, isDisabled }}
      />
      <Group gap="xs" mt={6}>
        <FileButton onChange={(file) => void read(file)} disabled={isDisabled}>
          {(button) => (
            <Button {...button} variant="default" size="xs" leftSection={<Upload size={14} aria-hidden />}>
              {formStrings.upload}
            </Button>
          )}
        </FileButton>
        {text !== "" && (
          <Text size="xs" c="dimmed">
            {formStrings.fileSize(text.length)}
          </Text>
        )}
      </Group>
    </>
  );
}
