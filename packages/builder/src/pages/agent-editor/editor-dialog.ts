import { commonStrings } from "../../strings/common.ts";
/** What is open over the canvas because somebody asked for it. */
export type EditorDialog = "versions" | "import" | "help" | undefined;

/** The cross of a dialog, named for those who do not see it. */
export const closeButton = { "aria-label": commonStrings.close } as const;
