import { Badge, Button, Group, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Credential, ModelProvider } from "@weft/client";
import { Plus } from "lucide-react";
import { useState } from "react";
import { credentialsQuery } from "../../api/credentials.ts";
import { defaultModelQuery, modelProvidersQuery } from "../../api/models.ts";
import { ListBody } from "../../components/list-body.tsx";
import { Page } from "../../components/page.tsx";
import { CredentialDialog } from "../../credentials/credential-dialog.tsx";
import { modelsStrings } from "../../strings/models.ts";
import { DefaultModelSection } from "./default-model-section.tsx";
import classes from "./provider-list.module.css";

export function ModelsPage() {
  const current = useQuery(defaultModelQuery);
  const providers = useQuery(modelProvidersQuery);
  const { data: credentials = [] } = useQuery(credentialsQuery);
  return (
    <Page title={modelsStrings.title} summary={modelsStrings.summary}>
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
              <Text size="sm" c="dimmed">
                {provider.summary}
              </Text>
            </div>
            <Group gap="sm" wrap="nowrap">
              <Text size="sm" c="dimmed" className={classes.count}>
                {toCountText(provider, credentials)}
              </Text>
              {provider.credentialFields.length > 0 && (
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<Plus size={14} aria-hidden />}
                  aria-label={`${modelsStrings.addCredential}: ${provider.title}`}
                  onClick={() => setAdding(provider.name)}
                >
                  {modelsStrings.addCredential}
                </Button>
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
  return count === 0 ? modelsStrings.noCredential : modelsStrings.credentialCount(count);
}
