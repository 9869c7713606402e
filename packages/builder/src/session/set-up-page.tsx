import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type SubmitEvent, useState } from "react";
import { client } from "../api/client.ts";
import { fieldErrors } from "../api/error-sentence.ts";
import { setSession } from "../api/session.ts";
import { ErrorNotice } from "../components/error-notice.tsx";
import { sessionStrings } from "../strings/session.ts";
import { Standalone } from "./standalone.tsx";

/** Creates the first account. The token is the part after the # of the printed address, which browsers never send. */
export function SetUpPage() {
  const navigate = useNavigate();
  const [tokenOfAddress] = useState(() => decodeURIComponent(location.hash.slice(1)));
  const [account, setAccount] = useState({ token: tokenOfAddress, email: "", password: "", name: "" });
  const setUp = useMutation({
    mutationFn: () => client.setUp(account),
    async onSuccess(session) {
      setSession(session);
      await navigate({ to: "/welcome", replace: true });
    },
  });
  const errors = fieldErrors(setUp.error);
  const textField = (name: keyof typeof account) => ({
    required: true,
    withAsterisk: false,
    value: account[name],
    error: errors[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setAccount((current) => ({ ...current, [name]: value }));
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setUp.mutate();
  };
  return (
    <Standalone title={sessionStrings.setUpTitle} text={sessionStrings.setUpText}>
      <form onSubmit={submit}>
        <Stack>
          <ErrorNotice error={setUp.error} />
          {tokenOfAddress === "" && (
            <TextInput
              {...textField("token")}
              label={sessionStrings.token}
              description={sessionStrings.tokenHint}
              autoComplete="off"
              autoFocus
            />
          )}
          <TextInput {...textField("name")} required={false} label={sessionStrings.yourName} autoComplete="name" />
          <TextInput {...textField("email")} label={sessionStrings.email} type="email" autoComplete="username" />
          <PasswordInput
            {...textField("password")}
            label={sessionStrings.newPassword}
            description={sessionStrings.passwordHint}
            autoComplete="new-password"
            minLength={8}
          />
          <Button type="submit" size="md" fullWidth loading={setUp.isPending}>
            {sessionStrings.setUpButton}
          </Button>
        </Stack>
      </form>
    </Standalone>
  );
}
