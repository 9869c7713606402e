import { PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, type SubmitEvent, useState } from "react";
import { client } from "../api/client.ts";
import { sessionStrings } from "../strings.ts";
import { Action } from "../ui/controls/actions.tsx";
import { ErrorNotice } from "../ui/page/notices.tsx";
import { setSession } from "./session.ts";

type Props = {
  /** The account whose session ended, shown read-only. Absent: the person enters an e-mail address. */
  email?: string | undefined;
  onSignedIn?: () => Promise<void>;
  /** What stands below the button. */
  children?: ReactNode;
};

/** E-mail, password and the button that begins a session. */
export function SignInForm({ email: known, onSignedIn, children }: Props) {
  const [email, setEmail] = useState(known ?? "");
  const [password, setPassword] = useState("");
  const signIn = useMutation({
    mutationFn: () => client.logIn({ email, password }),
    async onSuccess(session) {
      setSession(session, email);
      await onSignedIn?.();
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <ErrorNotice error={signIn.error} />
        <TextInput
          label={sessionStrings.email}
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          readOnly={known !== undefined}
          data-autofocus={known === undefined || undefined}
          autoFocus={known === undefined}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label={sessionStrings.password}
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus={known !== undefined || undefined}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Action
          label={sessionStrings.signInButton}
          type="submit"
          size="md"
          fullWidth
          loading={signIn.isPending}
          variant="filled"
        />
        {children}
      </Stack>
    </form>
  );
}
