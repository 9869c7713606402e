import { Alert, Button, Group, Modal, SimpleGrid } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Credential, DefaultModel, ModelProvider } from "@weft/client";
import { Info } from "lucide-react";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { errorSentence } from "../../api/error-sentence.ts";
import { modelKeys } from "../../api/models.ts";
import { Fact } from "../../components/fact.tsx";
import { notifyDone, notifyFailed } from "../../components/notify.ts";
import { Section } from "../../components/section.tsx";
import { ModelConnectionForm } from "../../models/model-connection-form.tsx";
import { commonStrings } from "../../strings/common.ts";
import { modelsStrings } from "../../strings/models.ts";
import { ChooseModelDialog } from "./choose-model-dialog.tsx";
import { ConnectionTest } from "./connection-test.tsx";

type Props = { current: DefaultModel; providers: readonly ModelProvider[]; credentials: readonly Credential[] };

/** Which model answers where a flow names none, and how to choose another. */
export function DefaultModelSection({ current, providers, credentials }: Props) {
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
            <Fact name={modelsStrings.provider} value={titleOf(current.provider)} />
            <Fact name={modelsStrings.model} value={current.model || modelsStrings.providerDefault} />
            <Fact name={modelsStrings.credential} value={credentialName(current, credentials)} />
          </SimpleGrid>
          <ConnectionTest choice={current} />
        </>
      )}
      {dialog === "connect" && (
        <Modal
          opened
          onClose={close}
          title={modelsStrings.connect}
          closeButtonProps={{ "aria-label": commonStrings.close }}
        >
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
  const queries = useQueryClient();
  const reset = useMutation({
    mutationFn: () => client.resetDefaultModel(),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: modelKeys.default });
      await queries.invalidateQueries({ queryKey: modelKeys.providers });
      notifyDone(modelsStrings.wasReset);
    },
    onError: (error) => notifyFailed(errorSentence(error)),
  });
  return (
    <Group gap="xs">
      {current.source === "chosen" && (
        <Button variant="subtle" color="gray" loading={reset.isPending} onClick={() => reset.mutate()}>
          {modelsStrings.reset}
        </Button>
      )}
      <Button variant="default" onClick={() => onOpen("choose")}>
        {modelsStrings.change}
      </Button>
      <Button onClick={() => onOpen("connect")}>{modelsStrings.connect}</Button>
    </Group>
  );
}

function credentialName({ credential }: DefaultModel, credentials: readonly Credential[]): string {
  if (credential === "") return modelsStrings.serverKey;
  return credentials.find(({ id }) => id === credential)?.name ?? modelsStrings.deletedCredential;
}
