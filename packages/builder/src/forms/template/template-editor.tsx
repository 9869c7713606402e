import { ActionIcon, Modal, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Maximize2 } from "lucide-react";
import { useRef } from "react";
import { formStrings } from "../../strings/forms.ts";
import { CodeEditor } from "../code/code-editor.tsx";
import type { EditorHandle, EditorProps } from "../code/editor-props.ts";
import classes from "./template-editor.module.css";
import { VariablePicker } from "./variable-picker.tsx";

type Props = Omit<EditorProps, "language" | "handle"> & {
  /** What the field is called, for the large window. */
  title: string;
};

/** A text in which `{{ … }}` may stand: known references are marked, and variables offered while typing or by a button. */
export function TemplateEditor({ title, ...props }: Props) {
  const handle = useRef<EditorHandle>(null);
  const large = useRef<EditorHandle>(null);
  const [isLarge, { open, close }] = useDisclosure(false);
  const { value, onChange, variables = [], isSingleLine = false } = props;
  const insertInto = (editor: EditorHandle | null) => (path: string) => {
    const text = `{{ ${path} }}`;
    if (editor) editor.insert(text);
    else onChange(`${value}${text}`);
  };
  return (
    <div className={isSingleLine ? classes.singleLine : classes.root}>
      <CodeEditor {...props} language="template" handle={handle} />
      <div className={classes.tools}>
        {!isSingleLine && (
          <Tooltip label={formStrings.openEditor}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={24}
              aria-label={`${formStrings.openEditor}: ${title}`}
              onClick={open}
            >
              <Maximize2 size={14} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
        <VariablePicker variables={variables} title={title} onPick={(path) => insertInto(handle.current)(path)} />
      </div>
      <Modal
        opened={isLarge}
        onClose={close}
        size="xl"
        title={title}
        closeButtonProps={{ "aria-label": formStrings.close }}
      >
        <div className={classes.root}>
          <CodeEditor
            value={value}
            onChange={onChange}
            variables={variables}
            language="template"
            label={title}
            handle={large}
            minLines={18}
            maxLines={24}
          />
          <div className={classes.tools}>
            <VariablePicker variables={variables} title={title} onPick={(path) => insertInto(large.current)(path)} />
          </div>
        </div>
      </Modal>
    </div>
  );
}
