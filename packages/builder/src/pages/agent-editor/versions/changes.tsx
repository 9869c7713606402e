import { Skeleton, Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { FlowNode } from "@weft/schema";
import { lazy, Suspense } from "react";
import { integrationsQuery } from "../../../api/agents.ts";
import { type FlowModel, useCanvas } from "../../../canvas/index.ts";
import { shownLabel } from "../../../described/node-title.ts";
import { canvasStrings, textFor } from "../../../strings.ts";
import { NodeIcon } from "../../../ui/node-icon.tsx";
import { Hint } from "../../../ui/text/hint.tsx";
import {
  diffFlows,
  type FieldDifference,
  type FlowDifference,
  isEmptyDifference,
  type NodeDifference,
} from "./diff-flows.ts";
import { nameSetting, writeValue } from "./name-settings.ts";
import classes from "./versions.module.css";

const VersionText = lazy(async () => ({ default: (await import("./version-text.tsx")).VersionText }));

const { diff: changes } = canvasStrings.editor;

/** The changes since a version, by what they mean or as text. */
export function Changes({ before, after }: { before: FlowModel; after: FlowModel }) {
  return (
    <Tabs defaultValue="steps" keepMounted={false} mb="sm">
      <Tabs.List aria-label={changes.views} mb="sm">
        <Tabs.Tab value="steps">{changes.steps}</Tabs.Tab>
        <Tabs.Tab value="text">{changes.text}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="steps">
        <VersionDiff difference={diffFlows(before, after)} />
      </Tabs.Panel>
      <Tabs.Panel value="text">
        <Suspense fallback={<Skeleton height={80} />}>
          <VersionText before={before} after={after} />
        </Suspense>
      </Tabs.Panel>
    </Tabs>
  );
}

/** The changes since a version: steps added, removed and changed, field by field. */
function VersionDiff({ difference }: { difference: FlowDifference }) {
  if (isEmptyDifference(difference)) return <Hint>{changes.none}</Hint>;
  return (
    <>
      <Hint size="xs" mb={8}>
        {changes.since}
      </Hint>
      <ul className={classes.changes}>
        {difference.nodes.map((change) => (
          <NodeChange key={`${change.type} ${change.node.id}`} change={change} />
        ))}
        <OtherChanges difference={difference} />
      </ul>
    </>
  );
}

/** What was added, removed and changed, by the names of steps. */
export function ChangedSteps({ difference }: { difference: FlowDifference }) {
  return (
    <ul className={classes.steps}>
      {difference.nodes.map(({ type, node }) => (
        <li key={`${type} ${node.id}`}>
          <StepName type={type} node={node} />
        </li>
      ))}
      <OtherChanges difference={difference} />
    </ul>
  );
}

/** How many connections came and went, and how many steps were moved. */
function OtherChanges({ difference: { edges, moved } }: { difference: FlowDifference }) {
  const added = edges.filter(({ type }) => type === "added").length;
  return (
    <>
      {edges.length > 0 && <li className={classes.fact}>{changes.edges({ added, removed: edges.length - added })}</li>}
      {moved > 0 && <li className={classes.fact}>{changes.moved({ count: moved })}</li>}
    </>
  );
}

/** The step that a change is about, and how it changed. */
function StepName({ type, node }: Pick<NodeDifference, "type" | "node">) {
  const nodeType = useCanvas().catalogue.typeOf(node);
  return (
    <div className={classes.node}>
      <NodeIcon icon={nodeType?.icon} group={nodeType?.group} size="sm" />
      <span className={classes.label}>{shownLabel(node.label, nodeType) || node.id}</span>
      <span className={classes.kind} data-kind={type}>
        {changes.kinds[type]}
      </span>
    </div>
  );
}

function NodeChange({ change }: { change: NodeDifference }) {
  const { node, type } = change;
  return (
    <li>
      <StepName type={type} node={node} />
      {type === "changed" && (
        <dl className={classes.fields}>
          {change.fields.map((field) => (
            <FieldChange
              key={`${field.of} ${field.path.join(".")}`}
              field={field}
              node={node}
              earlier={change.earlier}
            />
          ))}
        </dl>
      )}
    </li>
  );
}

type FieldChangeProps = { field: FieldDifference; node: FlowNode; earlier: FlowNode };

/** What was changed, named and written as the form of the step does. */
function FieldChange({ field: { of, path, before, after }, node, earlier }: FieldChangeProps) {
  const { catalogue } = useCanvas();
  const { data: tools = [] } = useQuery(integrationsQuery);
  const { config } = after === undefined ? earlier : node;
  const { titles, field } =
    of === "step" ? { titles: [toStepFact(path[0])] } : nameSetting(catalogue.typeOf(node), { path, config, tools });
  return (
    <div>
      <dt>{titles.join(" › ")}</dt>
      {before !== undefined && (
        <dd>
          <del>{writeValue(before, field, tools)}</del>
        </dd>
      )}
      {after !== undefined && (
        <dd>
          <ins>{writeValue(after, field, tools)}</ins>
        </dd>
      )}
    </div>
  );
}

function toStepFact(name = ""): string {
  return textFor(changes.facts, name) ?? name;
}
