import { memo, useEffect } from "react";
import classes from "./flow-canvas.module.css";

const shownMs = 6_000;

type Props = { text: string; onText(text: string): void };

/** Says why an action was refused; announced, and hidden after a while. */
export const CanvasStatus = memo(function CanvasStatus({ text, onText }: Props) {
  useEffect(() => {
    if (text === "") return undefined;
    const timer = setTimeout(() => onText(""), shownMs);
    return () => clearTimeout(timer);
  }, [text, onText]);
  return (
    <div role="status" className={classes.status}>
      {text}
    </div>
  );
});
