import { Anchor, Button, Code, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useRouter, useSearch } from "@tanstack/react-router";
import { type SubmitEvent, useState } from "react";
import { client } from "../api/client.ts";
import { setSession } from "../api/session.ts";
import { ErrorNotice } from "../components/error-notice.tsx";
import { sessionStrings } from "../strings/session.ts";
import { isWelcomeDue } from "./is-welcome-due.ts";
import { Standalone } from "./standalone.tsx";

/** Signs in; where no account exists yet, says how the first one is made. */
export function SignInPage() {
  const { data, isPending } = useQuery({
    queryKey: ["set-up"],
    queryFn: ({ signal }) => client.getSetUp({ signal }),
    retry: false,
    staleTime: 0,
  });
  if (isPending) return null;
  return data?.isNeeded ? <FirstAccount /> : <SignIn />;
}

function FirstAccount() {
  return (
    <Standalone title={sessionStrings.firstTitle} text={sessionStrings.firstText}>
      <Stack>
        <Text size="sm">
          {sessionStrings.firstAddress} <Code>{`${location.origin}/setup#`}</Code> {sessionStrings.firstWhere}
        </Text>
        <Text size="sm">{sessionStrings.firstEnvironment}</Text>
        <Anchor component={Link} to="/setup" size="sm">
          {sessionStrings.firstToken}
        </Anchor>
      </Stack>
    </Standalone>
  );
}

function SignIn() {
  const { from } = useSearch({ from: "/sign-in" });
  const { history } = useRouter();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const signIn = useMutation({
    mutationFn: () => client.logIn({ email, password }),
    async onSuccess(session) {
      setSession(session);
      history.push(toOwnPath(from) ?? ((await isWelcomeDue()) ? "/welcome" : "/agents"));
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <Standalone title={sessionStrings.signInTitle}>
      <form onSubmit={submit}>
        <Stack>
          <ErrorNotice error={signIn.error} />
          <TextInput
            label={sessionStrings.email}
            type="email"
            autoComplete="username"
            required
            withAsterisk={false}
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label={sessionStrings.password}
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button type="submit" size="md" fullWidth loading={signIn.isPending}>
            {sessionStrings.signInButton}
          </Button>
        </Stack>
      </form>
      <Text size="xs" c="dimmed" mt="lg">
        {sessionStrings.forgotten} <Code>{sessionStrings.resetCommand}</Code>.
      </Text>
    </Standalone>
  );
}

/** A path of this application; undefined for an address that would lead elsewhere. */
function toOwnPath(from: string | undefined): string | undefined {
  if (from === undefined) return undefined;
  const url = new URL(from, location.origin);
  return url.origin === location.origin ? url.href.slice(url.origin.length) : undefined;
}
