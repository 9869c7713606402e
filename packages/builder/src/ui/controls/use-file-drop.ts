import { type DragEvent, useRef, useState } from "react";

/** Takes what files and folders are dropped on an element. `isOver`: some are held above it. */
export function useFileDrop(isEnabled: boolean, onDrop: (dropped: DataTransfer) => void) {
  const [isOver, setOver] = useState(false);
  /** Entering a child comes before leaving its parent. */
  const depth = useRef(0);
  const hasFiles = ({ dataTransfer }: DragEvent) => isEnabled && dataTransfer.types.includes("Files");

  function move(event: DragEvent, change: number): void {
    if (!hasFiles(event)) return;
    depth.current += change;
    setOver(depth.current > 0);
  }

  const handlers = {
    onDragEnter: (event: DragEvent) => move(event, 1),
    onDragLeave: (event: DragEvent) => move(event, -1),
    onDragOver(event: DragEvent) {
      if (hasFiles(event)) event.preventDefault();
    },
    onDrop(event: DragEvent) {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth.current = 0;
      setOver(false);
      onDrop(event.dataTransfer);
    },
  };
  return { isOver, handlers };
}
