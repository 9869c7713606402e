import { useQuery } from "@tanstack/react-query";
import type { Agent } from "@weft/client";
import { useMemo } from "react";
import { nodeTypesQuery } from "../../../api/agents.ts";
import { agentsStrings } from "../../../strings.ts";
import { NodeIcon } from "../../../ui/node-icon.tsx";
import { Hint } from "../../../ui/text/hint.tsx";
import classes from "../agents.module.css";
import { stepTypesOf } from "./flow-facts.ts";

const shownCount = 8;

/** The steps of an agent in the order of its flow, as pictures. Nothing for flows of other formats. */
export function AgentSteps({ agent: { flowData } }: { agent: Agent }) {
  const { data: types } = useQuery(nodeTypesQuery);
  const steps = useMemo(() => {
    const byName = new Map(types?.map((type) => [type.type, type]));
    return stepTypesOf(flowData).flatMap((name) => byName.get(name) ?? []);
  }, [types, flowData]).filter(({ executes }) => executes);
  return (
    <div className={classes.steps}>
      {steps.slice(0, shownCount).map(({ icon, group }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two steps of one type look alike
        <NodeIcon key={index} icon={icon} group={group} size="xs" />
      ))}
      {steps.length > 0 && <Hint size="xs">{agentsStrings.steps({ count: steps.length })}</Hint>}
    </div>
  );
}
