import { commonStrings } from "../../strings/common.ts";

/** The cross of a dialog, named for those who do not see it. */
export const closeButton = { "aria-label": commonStrings.close } as const;
