import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { type ReactNode, useState } from "react";

const typingPauseMs = 300;

type TextFilterProps = {
  label: string;
  placeholder: string;
  /** What the address says. */
  value: string;
  /** In pixels; on phones it is as wide as its place. */
  width: number;
  icon?: ReactNode;
  /** Gets the text without spaces around it. */
  onChange: (value: string) => void;
};

/** Narrows a list by what is typed, after a short pause. */
export function TextFilter({ label, placeholder, value, width, icon, onChange }: TextFilterProps) {
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  const [applied, setApplied] = useState(value);
  // The address may change without a key being pressed here: by the browser's back button, or when filters are cleared.
  // When it says what was typed here, more may have been typed since.
  if (shown !== value) {
    setShown(value);
    if (applied !== value) {
      setApplied(value);
      setText(value);
    }
  }
  const apply = useDebouncedCallback((typed: string) => {
    setApplied(typed);
    onChange(typed);
  }, typingPauseMs);
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={text}
      w={{ base: "100%", xs: width }}
      leftSection={icon}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        apply(currentTarget.value.trim());
      }}
    />
  );
}
