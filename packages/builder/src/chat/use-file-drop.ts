import { type DragEvent, useRef, useState } from "react";

/** Takes files that are dropped on an element. `isOver`: some are held above it. */
export function useFileDrop(isEnabled: boolean, onFiles: (files: File[]) => void) {
  const [isOver, setOver] = useState(false);
  /** Entering a child comes before leaving its parent. */
  const depth = useRef(0);

  const hasFiles = ({ dataTransfer }: DragEvent) => isEnabled && dataTransfer.types.includes("Files");
  const handlers = {
    onDragEnter(event: DragEvent) {
      if (!hasFiles(event)) return;
      depth.current += 1;
      setOver(true);
    },
    onDragOver(event: DragEvent) {
      if (hasFiles(event)) event.preventDefault();
    },
    onDragLeave(event: DragEvent) {
      if (!hasFiles(event)) return;
      depth.current -= 1;
      if (depth.current <= 0) setOver(false);
    },
    onDrop(event: DragEvent) {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth.current = 0;
      setOver(false);
      onFiles([...event.dataTransfer.files]);
    },
  };
  return { isOver, handlers };
}
