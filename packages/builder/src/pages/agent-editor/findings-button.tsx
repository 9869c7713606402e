import { Button, Popover, Text } from "@mantine/core";
import type { Finding } from "@weft/schema";
import { useEffect, useRef } from "react";
import { FindingsList } from "../../canvas/index.ts";
import { CircleCheck, TriangleAlert } from "../../icons/icons.gen.ts";
import { canvasStrings } from "../../strings.ts";

import classes from "./findings.module.css";

const { findings: strings } = canvasStrings.editor;

/** How many things are wrong, and which. Choosing one selects its step. */
export function FindingsButton({ findings }: { findings: readonly Finding[] }) {
  const errors = findings.filter(({ level }) => level === "error").length;
  const color = errors > 0 ? "red" : findings.length > 0 ? "orange" : "gray";
  const Icon = findings.length === 0 ? CircleCheck : TriangleAlert;
  const dropdown = useRef<HTMLDivElement>(null);
  // A fix takes its button away, and the focus with it: the list keeps it, so that the keyboard stays in here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: new findings may have removed the focused button
  useEffect(() => {
    if (document.activeElement === document.body) dropdown.current?.focus();
  }, [findings]);
  return (
    <Popover position="bottom-end" width={380} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant={findings.length === 0 ? "subtle" : "light"}
          color={color}
          px={10}
          aria-label={strings.label({ count: findings.length })}
        >
          <Icon size={18} aria-hidden />
          {findings.length > 0 && <span className={classes.count}>{findings.length}</span>}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={8} ref={dropdown}>
        {findings.length === 0 ? (
          <Text size="sm" p={8}>
            {strings.none}
          </Text>
        ) : (
          <FindingsList findings={findings} />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
