import type { ReactNode } from "react";

type Props = {
  /** The sentence around a value. */
  text(value: string): string;
  /** Stands in place of the value. */
  children: ReactNode;
};

/** A sentence with an element where the reader's language has it. */
export function Sentence({ text, children }: Props) {
  const [before, after] = text(place).split(place);
  return (
    <>
      {before}
      {children}
      {after}
    </>
  );
}

/** Does not occur in any text. */
const place = "\uE001";
