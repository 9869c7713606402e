import { formStrings } from "../../strings.ts";

/** Default name of an entry: "Header 2" for the second `header`. */
export function entryName(item: string, number: number): string {
  return formStrings.entryNumber({ item: `${item.charAt(0).toUpperCase()}${item.slice(1)}`, number });
}
