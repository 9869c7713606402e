import { UnstyledButton } from "@mantine/core";
import type { Finding } from "@weft/schema";
import { BindHostButton } from "../connections/bind-host-button.tsx";
import type { DescribedFinding } from "../described/describer.ts";
import { CircleAlert, TriangleAlert } from "../icons/icons.gen.ts";
import { canvasStrings } from "../strings.ts";
import { useCanvas } from "./canvas-context.ts";
import classes from "./findings-list.module.css";
import { titleOf } from "./model/connection-rules.ts";

const { findings: strings } = canvasStrings.editor;

type Props = {
  findings: readonly Finding[];
  /** A step was chosen, and is selected on the canvas. */
  onChosen?: () => void;
};

/** A list of findings. Those of a node on the canvas are buttons that select it; one-click fixes have a button. */
export function FindingsList({ findings, onChosen }: Props) {
  const { attention, elements, editor, catalogue } = useCanvas();
  const toSentence = ({ nodeId, message, own }: DescribedFinding) => {
    const node = nodeId === null ? undefined : editor.state().model.nodes.get(nodeId);
    return node && own !== undefined ? strings.ofStep({ step: titleOf(node, catalogue), message: own }) : message;
  };
  return (
    <ul className={classes.list}>
      {findings.map((finding) => {
        const { level, code, nodeId, path = "", message, bind } = finding;
        const content = (
          <>
            {level === "error" ? (
              <CircleAlert size={16} className={classes.error} aria-label={strings.error} />
            ) : (
              <TriangleAlert size={16} className={classes.warning} aria-label={strings.warning} />
            )}
            <span>{toSentence(finding)}</span>
          </>
        );
        return (
          <li key={`${code} ${nodeId} ${path} ${message}`}>
            {nodeId !== null && editor.state().model.nodes.has(nodeId) ? (
              <UnstyledButton
                className={classes.finding}
                onClick={() => {
                  attention.demand(nodeId);
                  elements.select([nodeId]);
                  onChosen?.();
                }}
              >
                {content}
              </UnstyledButton>
            ) : (
              <div className={classes.finding}>{content}</div>
            )}
            {bind && (
              <div className={classes.remedy}>
                <BindHostButton bind={bind} />
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
