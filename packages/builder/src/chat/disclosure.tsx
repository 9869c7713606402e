import { UnstyledButton } from "@mantine/core";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import classes from "./disclosure.module.css";

type Props = { summary: ReactNode; children: ReactNode; onOpen?: () => void };

/** A line that unfolds. What is in it is made when it is opened. */
export function Disclosure({ summary, children, onOpen }: Props) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const toggle = () => {
    if (!isOpen) onOpen?.();
    setOpen(!isOpen);
  };
  return (
    <div className={classes.disclosure}>
      <UnstyledButton className={classes.summary} onClick={toggle} aria-expanded={isOpen} aria-controls={id}>
        <ChevronRight size={14} aria-hidden className={classes.chevron} data-open={isOpen} />
        {summary}
      </UnstyledButton>
      <div id={id} hidden={!isOpen} className={classes.content}>
        {isOpen && children}
      </div>
    </div>
  );
}
