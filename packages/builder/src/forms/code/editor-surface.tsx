import { useEffect, useRef } from "react";
import type { EditorProps } from "./editor-props.ts";
import { type MountedEditor, mountEditor } from "./mount-editor.ts";

/** CodeMirror as a component. Loaded when it is first needed: see `CodeEditor`. */
export function EditorSurface(props: EditorProps) {
  const parent = useRef<HTMLDivElement>(null);
  const editor = useRef<MountedEditor | undefined>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const { language, isSingleLine = false, handle } = props;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another language is another editor; the rest is updated below.
  useEffect(() => {
    if (parent.current === null) return;
    const mounted = mountEditor(parent.current, () => latest.current);
    editor.current = mounted;
    if (handle) handle.current = mounted;
    return () => {
      editor.current = undefined;
      if (handle) handle.current = null;
      mounted.destroy();
    };
  }, [language, isSingleLine, handle]);

  const { value, variables, isInvalid, isDisabled, describedBy, label } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them is a reason to draw the editor again.
  useEffect(
    () => editor.current?.update(latest.current),
    [value, variables, isInvalid, isDisabled, describedBy, label],
  );

  return <div ref={parent} style={{ height: "100%" }} />;
}
