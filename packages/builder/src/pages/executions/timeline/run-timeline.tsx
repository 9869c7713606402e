import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Execution } from "@weft/client";
import { useMemo, useState } from "react";
import { executionQuery, isGoingOn } from "../../../api/executions.ts";
import { executionStrings } from "../../../strings.ts";
import { useNow } from "../../../ui/content/time.tsx";
import { Loaded } from "../../../ui/page/notices.tsx";
import { Hint } from "../../../ui/text/hint.tsx";
import { FlowMap } from "./flow-map.tsx";
import { RowDetails } from "./row-details.tsx";
import classes from "./run-timeline.module.css";
import { createTimeScale } from "./time-scale.ts";
import {
  firstChoice,
  nodeIdOf,
  stepOfNode,
  stepsIn,
  toOpened,
  toTimelineRows,
  toTimelineTree,
} from "./timeline-tree.ts";
import { Waterfall } from "./waterfall.tsx";

/** The steps of a run on a time axis, live while it runs, with what went into the chosen one and came out. */
export function RunTimeline({ executionId }: { executionId: string }) {
  return (
    <Loaded query={useQuery(executionQuery(executionId))} until={240}>
      {(execution) => <Timeline execution={execution} />}
    </Loaded>
  );
}

function Timeline({ execution }: { execution: Execution }) {
  const nowMs = useNow(isGoingOn(execution) || execution.state === "STOPPED");
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useState<string>();
  const [hovered, setHovered] = useState<string>();
  const tree = useMemo(() => toTimelineTree(execution.steps), [execution.steps]);
  const steps = useMemo(() => stepsIn(tree), [tree]);
  const rows = useMemo(() => toTimelineRows(tree, toggled), [tree, toggled]);
  const scale = useMemo(() => createTimeScale(tree, nowMs), [tree, nowMs]);
  const selected = rows.find(({ node }) => node.key === (chosen ?? firstChoice(rows)));
  if (rows.length === 0) return <Text c="dimmed">{executionStrings.noSteps}</Text>;

  const toggle = (key: string) => {
    const next = new Set(toggled);
    if (!next.delete(key)) next.add(key);
    setToggled(next);
  };
  const chooseNode = (nodeId: string) => {
    const step = stepOfNode(steps, { nodeId, after: selected?.node });
    if (step === undefined) return;
    setToggled(toOpened(tree, step.key, toggled));
    setChosen(step.key);
  };
  return (
    <div className={classes.container}>
      <div className={classes.timeline}>
        {execution.graph !== null && (
          <div className={classes.map}>
            <FlowMap
              graph={execution.graph}
              steps={steps}
              selectedId={selected && nodeIdOf(selected.node)}
              hoveredId={hovered}
              onHover={setHovered}
              onChoose={chooseNode}
            />
          </div>
        )}
        <Waterfall
          rows={rows}
          scale={scale}
          nowMs={nowMs}
          selectedKey={selected?.node.key}
          markedNodeId={hovered}
          onSelect={setChosen}
          onToggle={toggle}
          onHover={setHovered}
        />
        <section className={classes.details} aria-label={executionStrings.details}>
          {selected === undefined ? (
            <Hint>{executionStrings.chooseStep}</Hint>
          ) : (
            <RowDetails
              key={selected.node.key}
              executionId={execution.id}
              agentId={execution.agentflow?.id}
              node={selected.node}
            />
          )}
        </section>
      </div>
    </div>
  );
}
