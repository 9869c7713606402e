import {
  Anchor,
  Group,
  PasswordInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  useMantineColorScheme,
} from "@mantine/core";
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { client, fieldErrors } from "../../api/client.ts";
import { callerQuery, publicAccessQuery, useMay } from "../../api/settings.ts";
import {
  browserLanguage,
  chooseLanguage,
  chosenLanguage,
  languageTag,
  offeredLanguages,
} from "../../languages/index.ts";
import { clearSession, setSession } from "../../session/session.ts";
import { ConnectedSection } from "../../single-sign-on/connected-section.tsx";
import {
  auditStrings,
  noticesStrings,
  peopleStrings,
  settingsStrings,
  singleSignOnStrings,
  visitorsStrings,
} from "../../strings.ts";
import { Action } from "../../ui/controls/actions.tsx";
import { ActionLink } from "../../ui/controls/links.tsx";
import { ErrorNotice, ListBody, notifyDone } from "../../ui/page/notices.tsx";
import { Fact, Page, Section } from "../../ui/page/page.tsx";
import { useRequest } from "../../ui/page/requests.ts";
import { useVisitorChoice } from "../../visitors/visitors-blocked.tsx";
import { TransferSection } from "./transfer/transfer-section.tsx";

export function SettingsPage() {
  const caller = useQuery(callerQuery);
  const version = useQuery(versionQuery);
  return (
    <Page title={settingsStrings.title}>
      <ListBody query={caller} rowHeight={120}>
        {({ user }) =>
          user === null ? (
            <Section title={settingsStrings.account} text={settingsStrings.operator} />
          ) : (
            <>
              <Section title={settingsStrings.account}>
                <SimpleGrid cols={{ base: 1, xs: 2 }}>
                  <Fact name={settingsStrings.name} value={user.name || settingsStrings.unnamed} />
                  <Fact name={settingsStrings.email} value={user.email} />
                  <Fact name={peopleStrings.role} value={peopleStrings.roles[user.role]} />
                </SimpleGrid>
              </Section>
              {user.hasPassword ? (
                <Section title={settingsStrings.password} text={settingsStrings.passwordText}>
                  <PasswordForm email={user.email} />
                </Section>
              ) : (
                <Section title={settingsStrings.password} text={settingsStrings.noPassword} />
              )}
              <ConnectedSection />
              <Section title={settingsStrings.everywhere} text={settingsStrings.everywhereText}>
                <EndSessions />
              </Section>
            </>
          )
        }
      </ListBody>
      <Section title={settingsStrings.appearance}>
        <Stack>
          <ColourChoice />
          <LanguageChoice />
        </Stack>
      </Section>
      <NoticesSection />
      <SignInSection />
      <AuditSection />
      <VisitorsSection />
      <TransferSection />
      <Section title={settingsStrings.flowise} text={settingsStrings.flowiseText}>
        <Group>
          <ActionLink to="/settings/flowise" label={settingsStrings.flowiseOpen} />
        </Group>
      </Section>
      <RetentionSection />
      <Section title={settingsStrings.about}>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Fact name={settingsStrings.version} value={version.data?.version ?? "…"} />
          <Anchor href="/docs" target="_blank" size="sm">
            {settingsStrings.documentation}
          </Anchor>
        </SimpleGrid>
      </Section>
    </Page>
  );
}

/** Where notices are sent, for those who may see it. */
function NoticesSection() {
  if (!useMay()("server:read")) return null;
  return (
    <Section title={noticesStrings.title} text={noticesStrings.settingsText}>
      <Group>
        <ActionLink to="/settings/notices" label={noticesStrings.settingsOpen} />
      </Group>
    </Section>
  );
}

/** Where providers are set up, for those who may. */
function SignInSection() {
  if (!useMay()("people:read")) return null;
  return (
    <Section title={singleSignOnStrings.providers.title} text={singleSignOnStrings.settingsText}>
      <Group>
        <ActionLink to="/settings/sign-in" label={singleSignOnStrings.open} />
      </Group>
    </Section>
  );
}

/** The audit log, for those who may read it. */
function AuditSection() {
  if (!useMay()("audit:read")) return null;
  return (
    <Section title={auditStrings.title} text={auditStrings.settingsText}>
      <Group>
        <ActionLink to="/settings/audit" label={auditStrings.open} />
      </Group>
    </Section>
  );
}

function ColourChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { auto, light, dark } = settingsStrings.schemes;
  return (
    <div>
      <Text size="sm" fw={500} mb={6} id="colour-choice">
        {settingsStrings.colours}
      </Text>
      <SegmentedControl
        aria-labelledby="colour-choice"
        value={colorScheme}
        onChange={setColorScheme}
        data={[
          { value: "auto" as const, label: auto },
          { value: "light" as const, label: light },
          { value: "dark" as const, label: dark },
        ]}
      />
    </div>
  );
}

/** Texts are read once, so another language needs another start. */
function LanguageChoice() {
  const languages = offeredLanguages();
  const own = languages.find(({ code }) => code === browserLanguage())?.name ?? "";
  const choose = (value: string | null) => {
    chooseLanguage(languages.find(({ code }) => code === value)?.code);
    location.reload();
  };
  return (
    <Select
      label={settingsStrings.language}
      description={settingsStrings.languageHelp}
      maw={360}
      allowDeselect={false}
      value={chosenLanguage() ?? asBrowser}
      onChange={choose}
      data={[
        { value: asBrowser, label: settingsStrings.browserLanguage({ name: own }) },
        ...languages.map(({ code, name }) => ({ value: code, label: name })),
      ]}
    />
  );
}

const asBrowser = "browser";

/** Ends every session of the account, this one too. */
function EndSessions() {
  const ending = useRequest(() => client.endSessions(), { next: clearSession, isLoud: true });
  return (
    <Group>
      <Action label={settingsStrings.everywhereSubmit} runs={ending} />
    </Group>
  );
}

function PasswordForm({ email }: { email: string }) {
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
          <Action label={settingsStrings.changePassword} type="submit" loading={isPending} variant="filled" />
        </Group>
      </Stack>
    </form>
  );
}

/** Tells password managers which account a form belongs to. */
function UserName({ email }: { email: string }) {
  return <input type="email" autoComplete="username" value={email} readOnly hidden />;
}

type CurrentPasswordProps = { value: string; onChange(password: string): void };

/** Proof that it is the owner of the account who changes it. */
function CurrentPassword({ value, onChange }: CurrentPasswordProps) {
  return (
    <PasswordInput
      label={settingsStrings.currentPassword}
      autoComplete="current-password"
      required
      withAsterisk={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

const versionQuery = queryOptions({
  queryKey: ["version"],
  queryFn: ({ signal }) => client.getVersion({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** How long each kind of data is kept, and the setting of the server that changes it. */
export function RetentionSection() {
  const retention = useQuery(retentionQuery);
  return (
    <Section title={settingsStrings.retention} text={settingsStrings.retentionText}>
      <ListBody query={retention} rowHeight={60}>
        {(list) => (
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {list.map(({ kind, keptSeconds, setting }) => (
              <Fact
                key={kind}
                name={settingsStrings.retentionKinds[kind]}
                value={[toTime(keptSeconds), setting && settingsStrings.retentionSetting({ name: setting })]
                  .filter(Boolean)
                  .join(" · ")}
              />
            ))}
          </SimpleGrid>
        )}
      </ListBody>
    </Section>
  );
}

const retentionQuery = queryOptions({
  queryKey: ["retention"],
  queryFn: ({ signal }) => client.listRetention({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** In the largest unit that divides it. */
function toTime(seconds: number | null): string {
  if (seconds === null) return settingsStrings.untilDeleted;
  if (seconds === 0) return settingsStrings.notKept;
  const [unit, size] = units.find(([, one]) => seconds % one === 0) ?? ["second", 1];
  const style = { style: "unit", unit, unitDisplay: "long" } as const;
  return (seconds / size).toLocaleString(languageTag(), style);
}

/** Whether visitors may use public agents of this server. */
function VisitorsSection() {
  const access = useQuery(publicAccessQuery);
  const choice = useVisitorChoice();
  return (
    <Section title={visitorsStrings.title} text={visitorsStrings.text}>
      <ListBody query={access} rowHeight={32}>
        {({ isAllowed, isFixed }) => (
          <Switch
            label={visitorsStrings.label}
            description={isFixed && visitorsStrings.fixed({ value: String(isAllowed) })}
            checked={isAllowed}
            disabled={isFixed || choice.isPending}
            onChange={(event) => choice.mutate(event.currentTarget.checked)}
          />
        )}
      </ListBody>
    </Section>
  );
}
