import { Button } from "@mantine/core";
import { Plus } from "lucide-react";
import { formStrings } from "../../strings/forms.ts";
import classes from "../form/form.module.css";

/** Adds an entry to a list. */
export function AddButton({ item, onClick, isDisabled }: { item: string; onClick(): void; isDisabled: boolean }) {
  return (
    <Button
      className={classes.add}
      variant="default"
      size="xs"
      leftSection={<Plus size={14} aria-hidden />}
      onClick={onClick}
      disabled={isDisabled}
    >
      {formStrings.add(item)}
    </Button>
  );
}
