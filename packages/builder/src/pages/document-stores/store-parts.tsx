import { Text, Textarea, TextInput, Tooltip } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Fragment, useState } from "react";
import { agentsQuery, assistantsQuery } from "../../api/agents.ts";
import { client } from "../../api/client.ts";
import {
  documentStoreKeys,
  type StoreStatus as Status,
  type StoreView,
  saveDocumentStore,
} from "../../api/document-stores.ts";
import { CircleAlert, CircleCheck, CircleDashed, CirclePlus } from "../../icons/icons.gen.ts";
import { commonStrings, documentStoresStrings as strings } from "../../strings.ts";
import { TextLink } from "../../ui/controls/links.tsx";
import { FormDialog } from "../../ui/page/dialogs.tsx";
import { notifyDone } from "../../ui/page/notices.tsx";
import { StatusBadge } from "../../ui/page/page.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import classes from "./where-used.module.css";

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

export function StoreStatus({ status }: { status: Status }) {
  return (
    <Tooltip label={strings.statusHelp[status]} multiline maw={280}>
      <StatusBadge {...looks[status]}>{strings.statuses[status]}</StatusBadge>
    </Tooltip>
  );
}

/** Name and description of a store. `store` absent: a new one, which is opened when it is there. */
export function StoreDialog({ store, onClose }: { store?: StoreView; onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [seen] = useState(store);
  const [name, setName] = useState(store?.name ?? "");
  const [description, setDescription] = useState(store?.description ?? "");
  const save = async () => {
    const body = { name: name.trim(), description: description.trim() };
    const saving = seen === undefined ? client.createDocumentStore(body) : saveDocumentStore(seen, body);
    // A refusal, too, says that there is something new to see.
    const { id } = await saving.finally(() => queries.invalidateQueries({ queryKey: documentStoreKeys.all }));
    notifyDone(store === undefined ? strings.created({ name: body.name }) : strings.saved({ name: body.name }));
    if (store === undefined) void navigate({ to: "/document-stores/$storeId", params: { storeId: id } });
  };
  return (
    <FormDialog
      title={store === undefined ? strings.createTitle : strings.editTitle}
      submitLabel={store === undefined ? commonStrings.create : commonStrings.save}
      isComplete={name.trim() !== ""}
      onSubmit={save}
      onClose={onClose}
    >
      <TextInput
        label={commonStrings.name}
        data-autofocus
        required
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label={strings.description}
        description={strings.descriptionHelp}
        autosize
        minRows={2}
        maxRows={8}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      {store === undefined && <Hint>{strings.createHelp}</Hint>}
    </FormDialog>
  );
}

const shownAtMost = 2;

/** The agents and assistants that search a store, as links. */
export function WhereUsed({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) return <Hint>{strings.unused}</Hint>;
  const more = ids.length - shownAtMost;
  return (
    <Text size="sm" component="div">
      {ids.slice(0, shownAtMost).map((id, index) => (
        <Fragment key={id}>
          {index > 0 && " "}
          <span className={classes.entry}>
            <User id={id} />
            {index < Math.min(ids.length, shownAtMost) - 1 && ","}
          </span>
        </Fragment>
      ))}
      {more > 0 && ` ${strings.moreUsers({ more })}`}
    </Text>
  );
}

function User({ id }: { id: string }) {
  const { data: agents } = useQuery(agentsQuery);
  const { data: assistants } = useQuery(assistantsQuery);
  const assistant = assistants?.find((one) => one.id === id);
  if (assistant !== undefined) {
    return (
      <TextLink to="/assistants/$assistantId" params={{ assistantId: id }} className={classes.user ?? ""}>
        {assistant.details.name}
      </TextLink>
    );
  }
  const agent = agents?.find((one) => one.id === id);
  return (
    <TextLink to="/agents/$agentId" params={{ agentId: id }} className={classes.user ?? ""}>
      {agent?.name ?? strings.unknownUser}
    </TextLink>
  );
}
