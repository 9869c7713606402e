import { Button } from "@mantine/core";
import { Plus } from "lucide-react";
import { useRef } from "react";
import { formStrings } from "../../strings/forms.ts";
import classes from "../form/form.module.css";

/** Adds an entry to a list, which stands before it, and puts the focus into the entry's first field. */
export function AddButton({ item, onClick, isDisabled }: { item: string; onClick(): void; isDisabled: boolean }) {
  const button = useRef<HTMLButtonElement>(null);
  const add = () => {
    const before = button.current?.previousElementSibling;
    onClick();
    requestAnimationFrame(() => {
      const added = button.current?.previousElementSibling;
      if (added && added !== before) added.querySelector<HTMLElement>(fields)?.focus();
    });
  };
  return (
    <Button
      ref={button}
      className={classes.add}
      variant="default"
      size="xs"
      leftSection={<Plus size={14} aria-hidden />}
      onClick={add}
      disabled={isDisabled}
    >
      {formStrings.add(item)}
    </Button>
  );
}

const fields = ["input:not([type=hidden])", "textarea", "[contenteditable=true]"]
  .map((field) => `${field}:not([aria-haspopup=listbox])`)
  .join();
