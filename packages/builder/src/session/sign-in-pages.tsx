import { Code, Divider, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import type { Agent } from "@weft/client";
import { type SubmitEvent, useState } from "react";
import { agentsQuery } from "../api/agents.ts";
import { client, fieldErrors, queryClient } from "../api/client.ts";
import { defaultModelQuery, modelProvidersQuery } from "../api/settings.ts";
import { ModelConnectionForm } from "../connections/credential-dialog.tsx";
import { ProviderButtons } from "../single-sign-on/errand.tsx";
import { sessionStrings } from "../strings.ts";
import { Action } from "../ui/controls/actions.tsx";
import { TextLink } from "../ui/controls/links.tsx";
import { ErrorNotice, ListBody } from "../ui/page/notices.tsx";
import { Hint } from "../ui/text/hint.tsx";
import { Sentence } from "../ui/text/sentence.tsx";
import { setSession } from "./session.ts";
import { SignInForm } from "./sign-in-form.tsx";
import { Standalone } from "./standalone.tsx";

const key = "weft.welcomed";

/** Whether the choice of a default model is still open, as far as this browser knows. Never rejects. */
async function isWelcomeDue(): Promise<boolean> {
  if (localStorage.getItem(key) !== null) return false;
  try {
    const { provider, source } = await queryClient.fetchQuery(defaultModelQuery);
    return provider === "rehearsal" && source === "configuration";
  } catch {
    return false;
  }
}

/** The welcome page need not show itself again. */
function markWelcomed(): void {
  localStorage.setItem(key, "true");
}

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
          <Sentence text={(address) => sessionStrings.firstAddress({ address })}>
            <Code>{`${location.origin}/setup#`}</Code>
          </Sentence>
        </Text>
        <Text size="sm">{sessionStrings.firstEnvironment}</Text>
        <TextLink to="/setup">{sessionStrings.firstToken}</TextLink>
      </Stack>
    </Standalone>
  );
}

function SignIn() {
  const { from } = useSearch({ from: "/sign-in" });
  const { history } = useRouter();
  return (
    <Standalone title={sessionStrings.signInTitle}>
      <SignInForm
        onSignedIn={async () => history.push(toOwnPath(from) ?? ((await isWelcomeDue()) ? "/welcome" : "/"))}
      />
      <ProviderButtons from={toOwnPath(from)} />
      <Hint size="xs" mt="lg">
        <Sentence text={(command) => sessionStrings.forgotten({ command })}>
          <Code>npm run reset-password</Code>
        </Sentence>
      </Hint>
    </Standalone>
  );
}

/** A path of this application; undefined for an address that would lead elsewhere. */
function toOwnPath(from: string | undefined): string | undefined {
  if (from === undefined) return undefined;
  const url = new URL(from, location.origin);
  return url.origin === location.origin ? url.href.slice(url.origin.length) : undefined;
}

/** Creates the first account. The token is the part after the # of the printed address, which browsers never send. */
export function SetUpPage() {
  const navigate = useNavigate();
  const [tokenOfAddress] = useState(() => decodeURIComponent(location.hash.slice(1)));
  const [account, setAccount] = useState({ token: tokenOfAddress, email: "", password: "", name: "" });
  const setUp = useMutation({
    mutationFn: () => client.setUp(account),
    async onSuccess(session) {
      setSession(session, account.email);
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
          <Action
            label={sessionStrings.setUpButton}
            type="submit"
            size="md"
            fullWidth
            loading={setUp.isPending}
            variant="filled"
          />
        </Stack>
      </form>
    </Standalone>
  );
}

/** The first decision: which model answers. Leads to a demonstration agent with its chat open. */
export function WelcomePage() {
  const openDemo = useOpenDemo();
  const current = useQuery(defaultModelQuery);
  const providers = useQuery(modelProvidersQuery);
  if (current.data !== undefined && current.data.provider !== "rehearsal") {
    const title = providers.data?.find(({ name }) => name === current.data.provider)?.title ?? current.data.provider;
    return (
      <Standalone title={sessionStrings.connectedTitle} text={sessionStrings.connectedText({ model: title })}>
        <OpenDemoButton onClick={openDemo} label={sessionStrings.openDemo} />
      </Standalone>
    );
  }
  return (
    <Standalone title={sessionStrings.welcomeTitle} text={sessionStrings.welcomeText}>
      <ListBody query={providers}>
        {(list) => <ModelConnectionForm providers={list} submitLabel={sessionStrings.connect} onConnected={openDemo} />}
      </ListBody>
      <Divider my="lg" label={sessionStrings.or} />
      <Stack gap="xs">
        <OpenDemoButton onClick={openDemo} label={sessionStrings.rehearse} variant="default" />
        <Hint size="xs">
          <strong>{sessionStrings.rehearsalTitle}</strong> {sessionStrings.rehearsalText}
        </Hint>
      </Stack>
    </Standalone>
  );
}

type OpenDemoButtonProps = { onClick: () => Promise<void>; label: string; variant?: "default" };

function OpenDemoButton({ onClick, label, variant }: OpenDemoButtonProps) {
  const [isOpening, setIsOpening] = useState(false);
  const open = () => {
    setIsOpening(true);
    void onClick().finally(() => setIsOpening(false));
  };
  return <Action label={label} size="md" fullWidth variant={variant ?? "filled"} loading={isOpening} onClick={open} />;
}

/** Opens the demo agent's chat, or the list of agents if there is no demo agent. */
function useOpenDemo(): () => Promise<void> {
  const navigate = useNavigate();
  return async () => {
    markWelcomed();
    const agents = await queryClient.fetchQuery(agentsQuery).catch(() => []);
    const demo = findDemoAgent(agents);
    if (demo === undefined) await navigate({ to: "/agents" });
    else await navigate({ to: "/agents/$agentId", params: { agentId: demo.id }, search: { chat: true } });
  };
}

/** The demonstration agent that was there first; undefined once all are deleted. */
function findDemoAgent(agents: readonly Agent[]): Agent | undefined {
  return agents
    .filter(({ category }) => category.split(";").includes("Demonstration"))
    .sort((a, b) => a.createdDate.localeCompare(b.createdDate))[0];
}
