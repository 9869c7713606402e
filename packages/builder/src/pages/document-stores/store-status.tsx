import { Tooltip } from "@mantine/core";
import { CircleAlert, CircleCheck, CircleDashed, CirclePlus } from "lucide-react";
import type { StoreStatus as Status } from "../../api/document-store-view.ts";
import { StatusBadge } from "../../components/status-badge.tsx";
import { documentStoresStrings as strings } from "../../strings/document-stores.ts";

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

/** How a store or a loader stands, with what it means. */
export function StoreStatus({ status }: { status: Status }) {
  return (
    <Tooltip label={strings.statusHelp[status]} multiline maw={280}>
      <StatusBadge {...looks[status]}>{strings.statuses[status]}</StatusBadge>
    </Tooltip>
  );
}
