import { Anchor, SegmentedControl, SimpleGrid, Text, useMantineColorScheme } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { callerQuery, versionQuery } from "../../api/account.ts";
import { Fact } from "../../components/fact.tsx";
import { ListBody } from "../../components/list-body.tsx";
import { Page } from "../../components/page.tsx";
import { Section } from "../../components/section.tsx";
import { settingsStrings } from "../../strings/settings.ts";
import { EverywhereForm } from "./everywhere-form.tsx";
import { PasswordForm } from "./password-form.tsx";

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
                </SimpleGrid>
              </Section>
              <Section title={settingsStrings.password} text={settingsStrings.passwordText}>
                <PasswordForm email={user.email} />
              </Section>
              <Section title={settingsStrings.everywhere} text={settingsStrings.everywhereText}>
                <EverywhereForm email={user.email} />
              </Section>
            </>
          )
        }
      </ListBody>
      <Section title={settingsStrings.appearance}>
        <ColourChoice />
      </Section>
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
