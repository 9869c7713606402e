import { Alert, Autocomplete, Badge, Button, Group, Modal, Select, SimpleGrid, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Credential, DefaultModel, ModelChoice, ModelProvider } from "@weft/client";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { credentialsQuery, defaultModelQuery, modelKeys, modelProvidersQuery } from "../../api/settings.ts";
import { CredentialDialog, ModelConnectionForm } from "../../connections/credential-dialog.tsx";
import { CircleCheck, CircleX, Coins, Info, PlugZap, Plus } from "../../icons/icons.gen.ts";
import { commonStrings, modelsStrings, playgroundStrings, pricesStrings } from "../../strings.ts";
import { Action } from "../../ui/controls/actions.tsx";
import { ActionLink } from "../../ui/controls/links.tsx";
import { FormDialog } from "../../ui/page/dialogs.tsx";
import { ErrorNotice, ListBody } from "../../ui/page/notices.tsx";
import { Fact, Page, Section } from "../../ui/page/page.tsx";
import { useRequest } from "../../ui/page/requests.ts";
import { Hint } from "../../ui/text/hint.tsx";
import { VendorMark, vendorMarksIn } from "../../ui/vendor-mark.tsx";
import classes from "./provider-list.module.css";

export function ModelsPage() {
  const current = useQuery(defaultModelQuery);
  const providers = useQuery(modelProvidersQuery);
  const { data: credentials = [] } = useQuery(credentialsQuery);
  return (
    <Page
      title={modelsStrings.title}
      summary={modelsStrings.summary}
      actions={
        <>
          <ActionLink to="/prices" icon={Coins} label={pricesStrings.title} />
          <ActionLink to="/playground" label={playgroundStrings.compare} />
        </>
      }
    >
      <ListBody query={current} rowHeight={140}>
        {(model) => <DefaultModelSection current={model} providers={providers.data ?? []} credentials={credentials} />}
      </ListBody>
      <ListBody query={providers} rowHeight={96}>
        {(list) => <ProviderList providers={list} credentials={credentials} />}
      </ListBody>
    </Page>
  );
}

type ProviderListProps = { providers: readonly ModelProvider[]; credentials: readonly Credential[] };

/** Every provider, with how many credentials there are for it. */
function ProviderList({ providers, credentials }: ProviderListProps) {
  const [adding, setAdding] = useState<string>();
  return (
    <section className={classes.section}>
      <Title order={2}>{modelsStrings.providersTitle}</Title>
      <ul className={classes.list}>
        {providers.map((provider) => (
          <li key={provider.name} className={classes.provider}>
            <VendorMark name={provider.name} title={provider.title} isTile />
            <div className={classes.text}>
              <Group gap="xs">
                <Text size="sm" fw={600}>
                  {provider.title}
                </Text>
                {provider.isDefault && (
                  <Badge size="sm" variant="light" tt="none">
                    {modelsStrings.isDefault}
                  </Badge>
                )}
                {provider.acceptsImages && (
                  <Badge size="sm" variant="light" color="gray" tt="none">
                    {modelsStrings.images}
                  </Badge>
                )}
              </Group>
              <Hint>{provider.summary}</Hint>
            </div>
            <Group gap="xs">
              <Hint className={classes.count}>{toCountText(provider, credentials)}</Hint>
              {provider.credentialFields.length > 0 && (
                <Action
                  icon={Plus}
                  label={modelsStrings.addCredential}
                  size="xs"
                  aria-label={commonStrings.labelled({ label: modelsStrings.addCredential, value: provider.title })}
                  onClick={() => setAdding(provider.name)}
                />
              )}
            </Group>
          </li>
        ))}
      </ul>
      {adding !== undefined && <CredentialDialog typeName={adding} onClose={() => setAdding(undefined)} />}
    </section>
  );
}

function toCountText({ name, credentialFields }: ModelProvider, credentials: readonly Credential[]): string {
  if (credentialFields.length === 0) return modelsStrings.builtIn;
  const count = credentials.filter(({ credentialName }) => credentialName === name).length;
  return count === 0 ? modelsStrings.noCredential : modelsStrings.credentialCount({ count });
}

type DefaultModelSectionProps = {
  current: DefaultModel;
  providers: readonly ModelProvider[];
  credentials: readonly Credential[];
};

/** Which model answers where a flow names none, and how to choose another. */
function DefaultModelSection({ current, providers, credentials }: DefaultModelSectionProps) {
  const [dialog, setDialog] = useState<"connect" | "choose">();
  const close = () => setDialog(undefined);
  const isRehearsal = current.provider === "rehearsal";
  const titleOf = (name: string) => providers.find((provider) => provider.name === name)?.title ?? name;
  return (
    <Section
      title={modelsStrings.defaultTitle}
      text={current.source === "chosen" ? modelsStrings.chosenHere : modelsStrings.fromConfiguration}
      actions={<DefaultModelActions current={current} onOpen={setDialog} />}
    >
      {isRehearsal && (
        <Alert color="iris" variant="light" icon={<Info size={18} aria-hidden />}>
          {modelsStrings.rehearsal}
        </Alert>
      )}
      {!isRehearsal && (
        <>
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <Fact
              name={modelsStrings.provider}
              value={
                <Group gap={6} wrap="nowrap" component="span">
                  <VendorMark name={current.provider} title={titleOf(current.provider)} />
                  {titleOf(current.provider)}
                </Group>
              }
            />
            <Fact name={modelsStrings.model} value={current.model || modelsStrings.providerDefault} />
            <Fact name={modelsStrings.credential} value={credentialName(current, credentials)} />
          </SimpleGrid>
          <ConnectionTest choice={current} />
        </>
      )}
      {dialog === "connect" && (
        <Modal opened onClose={close} title={modelsStrings.connect}>
          <ModelConnectionForm
            providers={providers}
            submitLabel={modelsStrings.connectSubmit}
            onConnected={async () => close()}
          />
        </Modal>
      )}
      {dialog === "choose" && (
        <ChooseModelDialog current={current} providers={providers} credentials={credentials} onClose={close} />
      )}
    </Section>
  );
}

type ActionProps = { current: DefaultModel; onOpen: (dialog: "connect" | "choose") => void };

function DefaultModelActions({ current, onOpen }: ActionProps) {
  const reset = useRequest(() => client.resetDefaultModel(), {
    stale: [modelKeys.default, modelKeys.providers],
    done: modelsStrings.wasReset,
    isLoud: true,
  });
  return (
    <Group gap="xs">
      {current.source === "chosen" && <Action label={modelsStrings.reset} variant="subtle" color="gray" runs={reset} />}
      <Action label={modelsStrings.change} onClick={() => onOpen("choose")} />
      <Button onClick={() => onOpen("connect")}>{modelsStrings.connect}</Button>
    </Group>
  );
}

function credentialName({ credential }: DefaultModel, credentials: readonly Credential[]): string {
  if (credential === "") return modelsStrings.serverKey;
  return credentials.find(({ id }) => id === credential)?.name ?? modelsStrings.deletedCredential;
}

/** Asks the model for a word and says what came of it. */
function ConnectionTest({ choice: { provider, model, credential } }: { choice: Required<ModelChoice> }) {
  const test = useRequest(() => client.testModel({ provider, model, credential }));
  return (
    <Group gap="sm">
      <Action icon={PlugZap} label={modelsStrings.test} runs={test} />
      <div role="status">
        {test.data?.ok === true && (
          <Group gap={6} c="teal" wrap="nowrap">
            <CircleCheck size={16} aria-hidden />
            <Text size="sm" c="var(--mantine-color-text)">
              {modelsStrings.answered({ model: test.data.model, durationMs: test.data.durationMs })}
            </Text>
          </Group>
        )}
        {test.data?.ok === false && (
          <Group gap={6} c="var(--mantine-color-error)" wrap="nowrap">
            <CircleX size={16} aria-hidden />
            <Text size="sm">{test.data.message}</Text>
          </Group>
        )}
      </div>
      <ErrorNotice error={test.error} />
    </Group>
  );
}

type ChooseModelDialogProps = {
  current: DefaultModel;
  providers: readonly ModelProvider[];
  credentials: readonly Credential[];
  onClose: () => void;
};

/** Selects another default among the connected models. */
function ChooseModelDialog({ current, providers, credentials, onClose }: ChooseModelDialogProps) {
  const [provider, setProvider] = useState(current.provider);
  const [model, setModel] = useState(current.model);
  const [credential, setCredential] = useState(current.credential);
  const known = providers.find(({ name }) => name === provider);
  const choices = providers.map(({ name, title }) => ({ value: name, label: title }));
  const takesCredential = known !== undefined && known.credentialFields.length > 0;
  const save = () =>
    client.chooseDefaultModel({ provider, model: model.trim(), credential: takesCredential ? credential : "" });
  return (
    <FormDialog
      title={modelsStrings.changeTitle}
      onSubmit={save}
      stale={[modelKeys.default, modelKeys.providers]}
      done={modelsStrings.wasChosen({ title: known?.title ?? provider })}
      onClose={onClose}
    >
      <Select
        label={modelsStrings.provider}
        data={choices}
        allowDeselect={false}
        value={provider}
        {...vendorMarksIn(choices, provider)}
        onChange={(next) => {
          setProvider(next ?? provider);
          setModel("");
          setCredential("");
        }}
      />
      {takesCredential && (
        <>
          <Select
            label={modelsStrings.credential}
            data={[
              { value: "", label: modelsStrings.serverKey },
              ...credentials.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            allowDeselect={false}
            value={credential}
            onChange={(next) => setCredential(next ?? "")}
          />
          <Autocomplete
            label={modelsStrings.model}
            description={modelsStrings.modelHint}
            placeholder={known.models[0] ?? ""}
            data={known.models}
            value={model}
            onChange={setModel}
          />
        </>
      )}
    </FormDialog>
  );
}
