import { Badge, Code, Text } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { NoticeChannel, NoticeTest } from "@weft/client";
import { client } from "../api/client.ts";
import { Bell, FlaskConical, Pencil, Trash2 } from "../icons/icons.gen.ts";
import { commonStrings, noticesStrings } from "../strings.ts";
import { Moment } from "../ui/content/time.tsx";
import { MenuAction } from "../ui/controls/actions.tsx";
import { type Column, RowMenu } from "../ui/list/list-page.tsx";
import { ResourcePage } from "../ui/list/resource-page.tsx";
import { notifyDone, notifyFailed } from "../ui/page/notices.tsx";
import { useRequest } from "../ui/page/requests.ts";
import { Hint } from "../ui/text/hint.tsx";
import { ChannelDialog } from "./channel-dialog.tsx";
import { noticesQuery } from "./queries.ts";

const refreshMs = 10_000;

const channelsQuery = queryOptions({
  queryKey: ["notice-channels"],
  queryFn: ({ signal }) => client.listNoticeChannels({ signal }),
  refetchInterval: refreshMs,
});
const stale = [channelsQuery.queryKey, noticesQuery.queryKey];

const texts = noticesStrings.channels;

/** Where notices are sent. */
export function ChannelsPage() {
  return (
    <ResourcePage
      strings={texts}
      icon={Bell}
      writes="settings:write"
      query={useQuery(channelsQuery)}
      columns={columns}
      nameOf={({ name }) => name}
      create={(onClose) => <ChannelDialog stale={stale} onClose={onClose} />}
      edit={(channel, onClose) => <ChannelDialog channel={channel} stale={stale} onClose={onClose} />}
      remove={({ id }) => client.deleteNoticeChannel({ id })}
      stale={stale}
      menu={(channel, actions) => <ChannelMenu channel={channel} {...actions} />}
    />
  );
}

const columns: readonly Column<NoticeChannel>[] = [
  {
    key: "name",
    header: commonStrings.name,
    cell: ({ name, kind }) => (
      <>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <Hint>{texts[kind]}</Hint>
      </>
    ),
  },
  { key: "address", header: texts.sentTo, cell: ({ address }) => <Code>{address}</Code> },
  { key: "state", header: texts.state, cell: (channel) => <ChannelState channel={channel} /> },
];

function ChannelState({ channel: { isEnabled, error, givenUpDate, waiting, sentDate } }: { channel: NoticeChannel }) {
  const failure =
    error === null ? undefined : givenUpDate === null ? texts.failing({ error }) : texts.givenUp({ error });
  return (
    <>
      <Badge variant="light" color={!isEnabled ? "gray" : failure === undefined ? "green" : "red"} tt="none">
        {isEnabled ? texts.on : texts.off}
      </Badge>
      {failure !== undefined && <Hint style={{ overflowWrap: "anywhere" }}>{failure}</Hint>}
      {waiting > 0 && <Hint>{texts.waiting({ count: waiting })}</Hint>}
      {failure === undefined && (
        <Hint>
          {sentDate === null ? (
            texts.never
          ) : (
            <>
              {texts.lastSent} <Moment at={sentDate} />
            </>
          )}
        </Hint>
      )}
    </>
  );
}

type ChannelMenuProps = { channel: NoticeChannel; onEdit(): void; onDelete(): void };

function ChannelMenu({ channel: { id, name }, onEdit, onDelete }: ChannelMenuProps) {
  const testing = useRequest(() => client.testNoticeChannel({ id }), { next: tellTest, isLoud: true });
  return (
    <RowMenu name={name}>
      <MenuAction icon={Pencil} label={commonStrings.edit} onClick={onEdit} />
      <MenuAction icon={FlaskConical} label={texts.test} onClick={() => testing.mutate()} />
      <MenuAction icon={Trash2} label={commonStrings.delete} isDanger onClick={onDelete} />
    </RowMenu>
  );
}

/** Says what the other end said. */
function tellTest({ ok, status, answer: said }: NoticeTest): void {
  const answer = said.startsWith(String(status)) ? said : [status, said].filter(Boolean).join(" ");
  if (ok) notifyDone(texts.testDone({ answer }));
  else notifyFailed(new Error(texts.testFailed({ answer })));
}
