import { Skeleton, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { FlowReading, NodeType } from "@weft/client";
import type { FlowDocument, Json, JsonObject } from "@weft/schema";
import { lazy, Suspense, useMemo, useState } from "react";
import { client } from "../api/client.ts";
import {
  findChoices,
  keyOf,
  type MadeChoices,
  type MissingChoice,
  remainingFindings,
  valueIn,
  withChoices,
} from "./choose-missing.ts";
import classes from "./flow-choices.module.css";

const ConfigForm = lazy(async () => ({ default: (await import("../forms/form/config-form.tsx")).ConfigForm }));

type Props = {
  flow: FlowDocument;
  choices: readonly MissingChoice[];
  made: MadeChoices;
  onChoose(made: MadeChoices): void;
};

/** The missing parts of a flow, step by step, each with a field to choose it. */
export function FlowChoices({ flow, choices, made, onChoose }: Props) {
  const steps = Map.groupBy(choices, ({ nodeId }) => nodeId);
  return (
    <ul className={classes.steps}>
      {[...steps].map(([nodeId, own]) => (
        <StepChoices
          key={nodeId}
          label={flow.nodes.find(({ id }) => id === nodeId)?.label || nodeId}
          choices={own}
          toValue={(choice) => (made.has(keyOf(choice)) ? made.get(keyOf(choice)) : valueIn(flow, choice))}
          onChoose={(choice, value) => onChoose(new Map(made).set(keyOf(choice), value))}
        />
      ))}
    </ul>
  );
}

type StepProps = {
  label: string;
  choices: readonly MissingChoice[];
  toValue(choice: MissingChoice): Json | undefined;
  onChoose(choice: MissingChoice, value: Json | undefined): void;
};

/** A model that is to be chosen is what one looks for. */
const choosing = { opensModel: true };

function StepChoices({ label, choices, toValue, onChoose }: StepProps) {
  const schema = useMemo(
    () => ({
      type: "object",
      properties: Object.fromEntries(choices.map((choice, index) => [`${index}`, choice.schema])),
    }),
    [choices],
  );
  const value: JsonObject = {};
  for (const [index, choice] of choices.entries()) {
    const known = toValue(choice);
    if (known !== undefined) value[`${index}`] = known;
  }
  const change = (next: JsonObject) => {
    for (const [index, choice] of choices.entries()) {
      if (next[`${index}`] !== value[`${index}`]) onChoose(choice, next[`${index}`]);
    }
  };
  return (
    <li aria-label={label}>
      <Text size="sm" fw={600} mb={4}>
        {label}
      </Text>
      <Suspense fallback={<Skeleton height={60} />}>
        <ConfigForm schema={schema} value={value} onChange={change} context={choosing} />
      </Suspense>
    </li>
  );
}

const nothing: MadeChoices = new Map();

/** A flow that was read, with the choices applied to it and to its findings. Resets when another flow is read. */
export function useFlowChoices(reading: FlowReading | undefined, types: readonly NodeType[]) {
  const [state, setState] = useState({ reading, made: nothing });
  const made = state.reading === reading ? state.made : nothing;
  const choices = useMemo(() => (reading ? findChoices(reading.flow, reading.findings, types) : []), [reading, types]);
  const flow = useMemo(() => reading && withChoices(reading.flow, choices, made), [reading, choices, made]);
  const flowData = JSON.stringify(flow);
  const checked = useQuery({
    queryKey: ["import-check", flowData],
    queryFn: ({ signal }) => client.readFlow({ flowData }, { signal }),
    enabled: made.size > 0,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const after = made.size > 0 ? checked.data?.findings : undefined;
  const findings = useMemo(() => {
    const before = reading?.findings ?? [];
    const chosen = new Set(choices.filter((choice) => made.has(keyOf(choice))).map(({ nodeId }) => nodeId));
    return after ? remainingFindings(before, after, chosen) : before;
  }, [reading, after, choices, made]);
  return {
    flow,
    /** The flow as text, if anything was chosen. */
    flowData: made.size > 0 ? flowData : undefined,
    findings,
    choices,
    made,
    choose: (next: MadeChoices) => setState({ reading, made: next }),
  };
}
