import { formStrings } from "../../strings.ts";

/** What an entry without a name of its own is called: "Header 2" for the second `header`. */
export function entryName(item: string, number: number): string {
  return formStrings.entryNumber({ item: `${item.charAt(0).toUpperCase()}${item.slice(1)}`, number });
}
