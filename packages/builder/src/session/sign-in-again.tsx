import { Modal, Text } from "@mantine/core";
import { signOut } from "../api/client.ts";
import { sessionStrings } from "../strings.ts";
import { Action } from "../ui/controls/actions.tsx";
import { notifyFailed } from "../ui/page/notices.tsx";
import { sessionEmail } from "./session.ts";
import { SignInForm } from "./sign-in-form.tsx";

/** Over a page whose session has ended. What is on it stays, and its requests wait, until someone signs in again or out. */
export function SignInAgain() {
  const leave = () => void signOut().catch(notifyFailed);
  return (
    <Modal
      opened
      onClose={leave}
      title={sessionStrings.endedTitle}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      size="sm"
      // Above dialogs that were open when it ended.
      zIndex={1_000}
    >
      <Text size="sm" mb="md">
        {sessionStrings.endedText}
      </Text>
      <SignInForm email={sessionEmail()}>
        <Action label={sessionStrings.signOutInstead} variant="subtle" fullWidth onClick={leave} />
      </SignInForm>
    </Modal>
  );
}
