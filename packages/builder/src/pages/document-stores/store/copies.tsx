import { Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client, isApiError } from "../../../api/client.ts";
import { documentStoreKeys, type LoaderView, toLoaderView } from "../../../api/document-stores.ts";
import { CopyMinus } from "../../../icons/icons.gen.ts";
import { documentStoresStrings } from "../../../strings.ts";
import { Action } from "../../../ui/controls/actions.tsx";
import { TextLink } from "../../../ui/controls/links.tsx";
import { ConfirmDialog } from "../../../ui/page/dialogs.tsx";
import { notifyDone } from "../../../ui/page/notices.tsx";
import type { EarlierText } from "./find-loaders.ts";
import { deleteLoader } from "./loader-menu.tsx";

const strings = documentStoresStrings.copies;

/** Documents named of a loader that has more in common with others. */
const namesShown = 3;

type SameTextProps = { storeId: string; texts: readonly EarlierText[]; isOnly: boolean };

/** Says which earlier documents have the same text, with links to them. `isOnly`: the loader has one document. */
export function SameText({ storeId, texts, isOnly }: SameTextProps) {
  const more = texts.length - namesShown;
  return (
    <>
      {texts.slice(0, namesShown).map(({ document, loaderId, name }) => (
        <TextLink
          to="/document-stores/$storeId/loaders/$loaderId"
          params={{ storeId, loaderId }}
          key={document}
          display="block"
          mt={4}
          py={3}
          style={{ overflowWrap: "anywhere" }}
        >
          {isOnly ? strings.sameAs({ name }) : strings.documentSameAs({ document, name })}
        </TextLink>
      ))}
      {more > 0 && <Text size="sm">{strings.more({ number: more })}</Text>}
    </>
  );
}

type RemoveCopiesProps = { storeId: string; copies: readonly LoaderView[] };

/** Asks, and deletes all copies of a store with their vectors. */
export function RemoveCopies({ storeId, copies }: RemoveCopiesProps) {
  const queries = useQueryClient();
  const [confirmed, setConfirmed] = useState<readonly LoaderView[]>();
  const remove = async () => {
    let removed = 0;
    try {
      for (const { id: loaderId } of confirmed ?? []) {
        if (!(await isStillCopy({ storeId, loaderId }))) continue;
        await deleteLoader({ storeId, loaderId });
        removed += 1;
      }
    } finally {
      await queries.invalidateQueries({ queryKey: documentStoreKeys.all });
    }
    notifyDone(strings.removed({ number: removed }));
  };
  return (
    <>
      {copies.length > 0 && <Action icon={CopyMinus} label={strings.remove} onClick={() => setConfirmed(copies)} />}
      <ConfirmDialog
        opened={confirmed !== undefined}
        title={strings.removeTitle({ number: confirmed?.length ?? 0 })}
        confirmLabel={strings.remove}
        onConfirm={remove}
        onClose={() => setConfirmed(undefined)}
      >
        {strings.removeText({ number: confirmed?.length ?? 0 })}
      </ConfirmDialog>
    </>
  );
}

/** Someone may have deleted or changed it, or what it repeats, since the list was read. */
async function isStillCopy(place: { storeId: string; loaderId: string }): Promise<boolean> {
  try {
    return toLoaderView(await client.getLoader(place)).isCopy;
  } catch (error) {
    if (isApiError(error) && error.status === 404) return false;
    throw error;
  }
}
