import { Tooltip } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, CircleDashed, CirclePlus } from "lucide-react";
import { client } from "../../api/client.ts";
import type { StoreStatus as Status, StoreView } from "../../api/document-store-view.ts";
import { documentStoreKeys } from "../../api/document-stores.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { notifyDone } from "../../components/notify.ts";
import { StatusBadge } from "../../components/status-badge.tsx";
import { commonStrings } from "../../strings/common.ts";
import { documentStoresStrings as strings } from "../../strings/document-stores.ts";

type Props = { store: StoreView; onDeleted?: () => void; onClose: () => void };

/** Asks, and deletes a store with everything in it. */
export function DeleteStore({ store: { id, name, whereUsed }, onDeleted, onClose }: Props) {
  const queries = useQueryClient();
  const remove = async () => {
    await client.deleteDocumentStore({ id });
    notifyDone(strings.deleted(name));
    onDeleted?.();
    queries.removeQueries({ queryKey: documentStoreKeys.one(id) });
    await queries.invalidateQueries({ queryKey: documentStoreKeys.all });
  };
  return (
    <ConfirmDialog
      opened
      title={strings.deleteTitle}
      confirmLabel={commonStrings.delete}
      onConfirm={remove}
      onClose={onClose}
    >
      {strings.deleteText(name, whereUsed.length)}
    </ConfirmDialog>
  );
}

const empty = { tone: "plain", icon: CirclePlus } as const;
const incomplete = { tone: "attention", icon: CircleAlert } as const;
const busy = { tone: "busy", icon: CircleDashed } as const;
const ready = { tone: "good", icon: CircleCheck } as const;

const looks = {
  EMPTY: empty,
  NEW: incomplete,
  SYNCING: busy,
  SYNC: incomplete,
  STALE: incomplete,
  UPSERTING: busy,
  UPSERTED: ready,
} satisfies Record<Status, unknown>;

/** The status of a store or a loader, with an explanation. */
export function StoreStatus({ status }: { status: Status }) {
  return (
    <Tooltip label={strings.statusHelp[status]} multiline maw={280}>
      <StatusBadge {...looks[status]}>{strings.statuses[status]}</StatusBadge>
    </Tooltip>
  );
}
