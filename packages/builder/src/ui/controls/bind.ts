import type { ChangeEvent } from "react";

/** The properties of a draft that hold a value of this type. */
type NamesOf<Draft, Value> = { [Name in keyof Draft]-?: Draft[Name] extends Value ? Name : never }[keyof Draft];

/** Connects inputs with properties of a draft: each gives the props of the input that shows and changes one of them. */
export function bind<Draft extends object>(draft: Draft, change: (changed: Partial<Draft>) => void) {
  const set = (name: keyof Draft, value: unknown) => change({ [name]: value } as Partial<Draft>);
  return {
    /** For inputs that call `onChange` with the value itself. */
    value: <Name extends keyof Draft>(name: Name) => ({
      value: draft[name],
      onChange: (value: Draft[Name]) => set(name, value),
    }),
    /** For lines and areas of text. */
    text: <Name extends NamesOf<Draft, string>>(name: Name) => ({
      value: draft[name],
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => set(name, event.currentTarget.value),
    }),
    /** For switches and checkboxes. */
    flag: <Name extends NamesOf<Draft, boolean>>(name: Name) => ({
      checked: draft[name],
      onChange: (event: ChangeEvent<HTMLInputElement>) => set(name, event.currentTarget.checked),
    }),
  };
}
