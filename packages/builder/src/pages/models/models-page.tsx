import { useQuery } from "@tanstack/react-query";
import { credentialsQuery } from "../../api/credentials.ts";
import { defaultModelQuery, modelProvidersQuery } from "../../api/models.ts";
import { ListBody } from "../../components/list-body.tsx";
import { Page } from "../../components/page.tsx";
import { modelsStrings } from "../../strings/models.ts";
import { DefaultModelSection } from "./default-model-section.tsx";
import { ProviderList } from "./provider-list.tsx";

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
