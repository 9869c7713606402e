import { Skeleton, Tabs } from "@mantine/core";
import type { Json } from "@weft/schema";
import { lazy, Suspense } from "react";
import { type FlowModel, useCanvas } from "../../../canvas/index.ts";
import { shownLabel } from "../../../described/node-title.ts";
import { canvasStrings } from "../../../strings.ts";
import { NodeIcon } from "../../../ui/node-icon.tsx";
import { Hint } from "../../../ui/text/hint.tsx";
import { diffFlows, type FlowDifference, isEmptyDifference, type NodeDifference } from "./diff-flows.ts";
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
  const { nodes, edges, moved } = difference;
  if (isEmptyDifference(difference)) return <Hint>{changes.none}</Hint>;
  const added = edges.filter(({ type }) => type === "added").length;
  return (
    <>
      <Hint size="xs" mb={8}>
        {changes.since}
      </Hint>
      <ul className={classes.changes}>
        {nodes.map((change) => (
          <NodeChange key={`${change.type} ${change.node.id}`} change={change} />
        ))}
        {edges.length > 0 && (
          <li className={classes.fact}>{changes.edges({ added, removed: edges.length - added })}</li>
        )}
        {moved > 0 && <li className={classes.fact}>{changes.moved({ count: moved })}</li>}
      </ul>
    </>
  );
}

function NodeChange({ change }: { change: NodeDifference }) {
  const { node, type } = change;
  const nodeType = useCanvas().catalogue.typeOf(node);
  return (
    <li>
      <div className={classes.node}>
        <NodeIcon icon={nodeType?.icon} group={nodeType?.group} size="sm" />
        <span className={classes.label}>{shownLabel(node.label, nodeType) || node.id}</span>
        <span className={classes.kind} data-kind={type}>
          {changes.kinds[type]}
        </span>
      </div>
      {type === "changed" && (
        <dl className={classes.fields}>
          {change.fields.map(({ path, before, after }) => (
            <div key={path}>
              <dt>{path}</dt>
              {before !== undefined && (
                <dd>
                  <del>{toText(before)}</del>
                </dd>
              )}
              {after !== undefined && (
                <dd>
                  <ins>{toText(after)}</ins>
                </dd>
              )}
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

function toText(value: Json): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text === "" ? changes.emptyText : text.slice(0, 2_000);
}
