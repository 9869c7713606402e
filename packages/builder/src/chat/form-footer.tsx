import { Button } from "@mantine/core";
import { chatStrings } from "../strings/chat.ts";
import classes from "./form-footer.module.css";

type Props = { hasBegun: boolean; isAnswering: boolean; onStop: () => void; onAgain: () => void };

/** Below a chat that began with a form: its run can be stopped, and the form filled in again. */
export function FormFooter({ hasBegun, isAnswering, onStop, onAgain }: Props) {
  if (!hasBegun) return null;
  return (
    <div className={classes.footer}>
      <Button variant="default" onClick={isAnswering ? onStop : onAgain}>
        {isAnswering ? chatStrings.stop : chatStrings.formAgain}
      </Button>
    </div>
  );
}
