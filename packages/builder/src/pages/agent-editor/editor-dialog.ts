import { commonStrings } from "../../strings/common.ts";
/** A dialog that the user opened over the canvas. */
export type EditorDialog = "versions" | "import" | "help" | undefined;

/** The cross of a dialog, named for those who do not see it. */
export const closeButton = { "aria-label": commonStrings.close } as const;
