import { PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { AccountLink } from "@weft/client";
import { type SubmitEvent, useState } from "react";
import { client, fieldErrors } from "../../api/client.ts";
import { setSession } from "../../session/session.ts";
import { Standalone } from "../../session/standalone.tsx";
import { sessionStrings } from "../../strings.ts";
import { Action } from "../../ui/controls/actions.tsx";
import { TextLink } from "../../ui/controls/links.tsx";
import { ErrorNotice } from "../../ui/page/notices.tsx";

/** For an invitation, and for a new password. The token is the part of the address after the #, which browsers never send. */
export function JoinPage() {
  const [token] = useState(() => decodeHash());
  const link = useQuery({
    queryKey: ["invitation", token],
    queryFn: ({ signal }) => client.lookAtInvitation({ token }, { signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (link.isPending) return null;
  if (link.data === undefined) {
    return (
      <Standalone title={sessionStrings.linkOverTitle}>
        <Stack>
          <ErrorNotice error={link.error} />
          <TextLink to="/sign-in">{sessionStrings.toSignIn}</TextLink>
        </Stack>
      </Standalone>
    );
  }
  return <Join link={link.data} token={token} />;
}

/** An address that was cut or copied wrongly is an unknown token. */
function decodeHash(): string {
  try {
    return decodeURIComponent(location.hash.slice(1)).slice(0, 200) || "-";
  } catch {
    return "-";
  }
}

function Join({ link: { kind, email, createdBy }, token }: { link: AccountLink; token: string }) {
  const navigate = useNavigate();
  const isInvitation = kind === "invitation";
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const joining = useMutation({
    mutationFn: () => client.acceptInvitation({ token, password, ...(isInvitation && { name }) }),
    async onSuccess(session) {
      setSession(session, email);
      await navigate({ to: "/", replace: true });
    },
  });
  const errors = fieldErrors(joining.error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    joining.mutate();
  };
  return (
    <Standalone
      title={isInvitation ? sessionStrings.joinTitle : sessionStrings.resetTitle}
      text={isInvitation ? sessionStrings.joinText({ name: createdBy }) : sessionStrings.resetText}
    >
      <form onSubmit={submit}>
        <Stack>
          <ErrorNotice error={joining.error} />
          <TextInput label={sessionStrings.email} type="email" autoComplete="username" readOnly value={email} />
          {isInvitation && (
            <TextInput
              label={sessionStrings.yourName}
              autoComplete="name"
              maxLength={200}
              autoFocus
              value={name}
              error={errors.name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          )}
          <PasswordInput
            label={sessionStrings.newPassword}
            description={sessionStrings.passwordHint}
            autoComplete="new-password"
            minLength={8}
            required
            withAsterisk={false}
            autoFocus={!isInvitation}
            value={password}
            error={errors.password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Action
            label={isInvitation ? sessionStrings.joinButton : sessionStrings.resetButton}
            type="submit"
            size="md"
            fullWidth
            loading={joining.isPending}
            variant="filled"
          />
        </Stack>
      </form>
      <Text size="xs" c="dimmed" mt="lg">
        {sessionStrings.joinOnce}
      </Text>
    </Standalone>
  );
}
