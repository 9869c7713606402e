import { notifications } from "@mantine/notifications";
import { commonStrings } from "../strings/common.ts";

const closeButtonProps = { "aria-label": commonStrings.close };

/** Says in the corner of the screen that something was done. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: "teal", autoClose: 4_000, closeButtonProps });
}

/** Shows an error in the corner of the screen, for actions without another place to report it. */
export function notifyFailed(message: string): void {
  notifications.show({ message, color: "red", autoClose: 10_000, closeButtonProps });
}
