import { Button, Group, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { client } from "../../api/client.ts";
import { setSession } from "../../api/session.ts";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { signOut } from "../../session/sign-out.ts";
import { settingsStrings } from "../../strings/settings.ts";
import { CurrentPassword } from "./current-password.tsx";
import { UserName } from "./user-name.tsx";

/** Ends every token of the account: setting the same password again voids them all but the new one, which then ends. */
export function EverywhereForm({ email }: { email: string }) {
  const [password, setPassword] = useState("");
  const { mutate, isPending, error } = useMutation({
    async mutationFn() {
      setSession(await client.changePassword({ currentPassword: password, newPassword: password }));
      await signOut();
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
        <CurrentPassword value={password} onChange={setPassword} />
        <ErrorNotice error={error} />
        <Group>
          <Button type="submit" variant="default" loading={isPending}>
            {settingsStrings.everywhereSubmit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
