import type { Json } from "@weft/schema";
import { useCanvas } from "../../canvas/index.ts";
import { shownLabel } from "../../described/node-title.ts";
import { canvasStrings } from "../../strings.ts";
import { NodeIcon } from "../../ui/node-icon.tsx";
import { Hint } from "../../ui/text/hint.tsx";

import { type FlowDifference, isEmptyDifference, type NodeDifference } from "./diff-flows.ts";
import classes from "./versions.module.css";

const { diff: strings } = canvasStrings.editor;

/** The changes since a version: steps added, removed and changed, field by field. */
export function VersionDiff({ difference }: { difference: FlowDifference }) {
  const { nodes, edges, moved } = difference;
  if (isEmptyDifference(difference)) return <Hint>{strings.none}</Hint>;
  const added = edges.filter(({ type }) => type === "added").length;
  return (
    <>
      <Hint size="xs" mb={8}>
        {strings.since}
      </Hint>
      <ul className={classes.changes}>
        {nodes.map((change) => (
          <NodeChange key={`${change.type} ${change.node.id}`} change={change} />
        ))}
        {edges.length > 0 && (
          <li className={classes.fact}>{strings.edges({ added, removed: edges.length - added })}</li>
        )}
        {moved > 0 && <li className={classes.fact}>{strings.moved({ count: moved })}</li>}
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
          {strings.kinds[type]}
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
  return text === "" ? strings.emptyText : text.slice(0, 2_000);
}
