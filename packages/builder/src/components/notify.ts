import { notifications } from "@mantine/notifications";
import { commonStrings } from "../strings/common.ts";

const closeButtonProps = { "aria-label": commonStrings.close };

/** Says in the corner of the screen that something was done. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: "teal", autoClose: 4_000, closeButtonProps });
}

/** Says in the corner of the screen what went wrong; for what has no place of its own to say it. */
export function notifyFailed(message: string): void {
  notifications.show({ message, color: "red", autoClose: 10_000, closeButtonProps });
}
