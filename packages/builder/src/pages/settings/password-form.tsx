import { Button, Group, PasswordInput, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { client } from "../../api/client.ts";
import { fieldErrors } from "../../api/error-sentence.ts";
import { setSession } from "../../api/session.ts";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { notifyDone } from "../../components/notify.ts";
import { settingsStrings } from "../../strings/settings.ts";
import { CurrentPassword } from "./current-password.tsx";
import { UserName } from "./user-name.tsx";

export function PasswordForm({ email }: { email: string }) {
  const [currentPassword, setCurrentPassword] = useState("");
  const [newPassword, setNewPassword] = useState("");
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => client.changePassword({ currentPassword, newPassword }),
    onSuccess(session) {
      setSession(session);
      setCurrentPassword("");
      setNewPassword("");
      notifyDone(settingsStrings.passwordChanged);
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={360}>
        <UserName email={email} />
        <CurrentPassword value={currentPassword} onChange={setCurrentPassword} />
        <PasswordInput
          label={settingsStrings.newPassword}
          description={settingsStrings.newPasswordHint}
          autoComplete="new-password"
          required
          withAsterisk={false}
          minLength={8}
          error={fieldErrors(error).newPassword}
          value={newPassword}
          onChange={(event) => setNewPassword(event.currentTarget.value)}
        />
        <ErrorNotice error={error} />
        <Group>
          <Button type="submit" loading={isPending}>
            {settingsStrings.changePassword}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
