import { ScrollArea } from "@mantine/core";
import type { ReactNode } from "react";

type Props = { label: string; maxHeight: number; children: ReactNode };

/** What is longer than `maxHeight` pixels scrolls, by the keyboard as well. */
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
