import { Badge, Drawer, Group, Stack, Text, VisuallyHidden } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Notice } from "@weft/client";
import { useEffect, useRef } from "react";
import { client } from "../api/client.ts";
import { useMay } from "../api/settings.ts";
import { noticesStrings } from "../strings.ts";
import { Moment } from "../ui/content/time.tsx";
import { TextLink } from "../ui/controls/links.tsx";
import { ListBody } from "../ui/page/notices.tsx";
import { Hint } from "../ui/text/hint.tsx";
import classes from "./notices.module.css";
import { noticesQuery } from "./queries.ts";
import { tellNotice } from "./tell-notice.ts";

/** What needs a person, each with the way to it. What is shown counts as seen. */
export function NoticesPanel({ onClose }: { onClose(): void }) {
  const notices = useQuery(noticesQuery);
  const may = useMay();
  const fresh = useSeen(notices.data?.data);
  return (
    <Drawer opened onClose={onClose} position="right" size={420} title={noticesStrings.title}>
      <Stack>
        <ListBody query={notices} rowHeight={56}>
          {({ data }) =>
            data.length === 0 ? (
              <div className={classes.empty}>
                <Text fw={500}>{noticesStrings.emptyTitle}</Text>
                <Hint>{noticesStrings.emptyText}</Hint>
              </div>
            ) : (
              <ul className={classes.list}>
                {data.map((notice) => (
                  <NoticeItem key={notice.id} notice={notice} isNew={fresh.has(notice.id)} onFollow={onClose} />
                ))}
              </ul>
            )
          }
        </ListBody>
        {may("server:read") && (
          <TextLink to="/settings/notices" onClick={onClose}>
            {noticesStrings.manage}
          </TextLink>
        )}
      </Stack>
    </Drawer>
  );
}

/** Marks what is shown, and resolves with the ids of what was new while the panel is open. */
function useSeen(shown: readonly Notice[] = []): ReadonlySet<string> {
  const queries = useQueryClient();
  const fresh = useRef(new Set<string>());
  const unseen = shown.filter(({ isSeen, id }) => !isSeen && !fresh.current.has(id)).map(({ id }) => id);
  for (const id of unseen) fresh.current.add(id);
  const key = unseen.join();
  useEffect(() => {
    if (key === "") return;
    const mark = async () => {
      await client.markNoticesSeen({ ids: key.split(",") });
      await queries.invalidateQueries({ queryKey: noticesQuery.queryKey });
    };
    // The next opening marks them.
    mark().catch(() => undefined);
  }, [key, queries]);
  return fresh.current;
}

type ItemProps = { notice: Notice; isNew: boolean; onFollow(): void };

function NoticeItem({ notice, isNew, onFollow }: ItemProps) {
  const { subject, link, state, since, resolvedDate } = notice;
  const { pathname, searchParams } = new URL(link, location.origin);
  const isOver = state === "resolved";
  return (
    <li>
      <Link
        to={pathname}
        search={Object.fromEntries(searchParams)}
        className={classes.notice}
        data-over={isOver || undefined}
        onClick={onFollow}
      >
        <span className={classes.dot} data-new={isNew || undefined} aria-hidden />
        <span className={classes.words}>
          <Text span size="sm" fw={600} truncate>
            {subject.name}
          </Text>
          <Text span size="sm">
            {tellNotice(notice)}
          </Text>
          <Group gap={8} component="span">
            <Moment at={resolvedDate ?? since} />
            {isOver && (
              <Badge component="span" variant="light" color="gray" size="sm" tt="none">
                {noticesStrings.resolved}
              </Badge>
            )}
          </Group>
          {isNew && <VisuallyHidden>{noticesStrings.new}</VisuallyHidden>}
        </span>
      </Link>
    </li>
  );
}
