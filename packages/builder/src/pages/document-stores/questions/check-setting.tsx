import { Alert, Stack, Switch } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { StoreCheck } from "@weft/client";
import { useState } from "react";
import { client } from "../../../api/client.ts";
import { storeCheckQuery } from "../../../api/document-stores.ts";
import { storeQuestionsStrings as strings } from "../../../strings.ts";
import { notifyFailed } from "../../../ui/page/notices.tsx";
import { Hint } from "../../../ui/text/hint.tsx";

/** Whether the questions are checked after indexing, and what became of the last such check. */
export function CheckSetting({ storeId, check }: { storeId: string; check: StoreCheck }) {
  const queries = useQueryClient();
  const { queryKey } = storeCheckQuery(storeId);
  /** What was chosen and is not stored yet. A mutation says that it is pending a turn later, when the switch has sprung back. */
  const [chosen, setChosen] = useState<boolean>();
  const { mutate } = useMutation({
    mutationFn: (afterIndexing: boolean) => client.updateStoreCheck({ id: storeId }, { afterIndexing }),
    onMutate: () => queries.cancelQueries({ queryKey }),
    onSuccess: (changed) => queries.setQueryData(queryKey, changed),
    onError: notifyFailed,
    onSettled: () => setChosen(undefined),
  });
  const choose = (afterIndexing: boolean) => {
    setChosen(afterIndexing);
    mutate(afterIndexing);
  };
  const states = { idle: undefined, waiting: strings.checkWaiting, running: strings.checking };
  return (
    <Stack gap="xs">
      <Switch
        label={strings.afterIndexing}
        description={strings.afterIndexingHelp}
        checked={chosen ?? check.afterIndexing}
        onChange={({ currentTarget }) => choose(currentTarget.checked)}
      />
      <Hint role="status" hidden={check.state === "idle"}>
        {states[check.state]}
      </Hint>
      {check.error !== null && (
        <Alert color="red" variant="light" title={strings.checkFailed}>
          {check.error}
        </Alert>
      )}
    </Stack>
  );
}
