import { ScrollArea } from "@mantine/core";
import type { ReactNode } from "react";

type Props = { label: string; maxHeight: number; children: ReactNode };

/** A region that scrolls, also by keyboard, when its content is taller than `maxHeight` pixels. */
export function ScrollRegion({ label, maxHeight, children }: Props) {
  return (
    <ScrollArea.Autosize
      mah={maxHeight}
      type="auto"
      offsetScrollbars="present"
      viewportProps={{ tabIndex: 0, role: "region", "aria-label": label }}
    >
      {children}
    </ScrollArea.Autosize>
  );
}
