import { Alert, Group, TagsInput, Text, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Conversation } from "@weft/client";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { client } from "../../api/client.ts";
import { callerQuery, useMay } from "../../api/settings.ts";
import { Hand, Send } from "../../icons/icons.gen.ts";
import { conversationsStrings } from "../../strings.ts";
import { Moment } from "../../ui/content/time.tsx";
import { Action } from "../../ui/controls/actions.tsx";
import { TextLink } from "../../ui/controls/links.tsx";
import { FormDialog } from "../../ui/page/dialogs.tsx";
import { ErrorNotice, ListBody } from "../../ui/page/notices.tsx";
import { useRequest } from "../../ui/page/requests.ts";
import { Hint } from "../../ui/text/hint.tsx";
import messageClasses from "../messages/messages.module.css";
import { Message } from "../messages/messages-tab.tsx";
import { feedbackQuery } from "../messages/queries.ts";
import classes from "./conversations.module.css";
import { conversationKeys, conversationQuery, messagesOfQuery } from "./queries.ts";

/** A conversation from its beginning, with the means to answer it. */
export function OpenConversation({ id, agentNames }: { id: string; agentNames: ReadonlyMap<string, string> }) {
  const query = useQuery(conversationQuery(id));
  return (
    <section className={classes.open} aria-label={conversationsStrings.title}>
      <ListBody query={query} rowHeight={80}>
        {(conversation) => <Opened conversation={conversation} agentName={agentNames.get(conversation.agentId)} />}
      </ListBody>
    </section>
  );
}

function Opened({ conversation, agentName }: { conversation: Conversation; agentName: string | undefined }) {
  const { agentId, handOver, takenOver } = conversation;
  const messages = useQuery(messagesOfQuery(conversation));
  const { data: feedback } = useQuery(feedbackQuery(agentId));
  const { data: caller } = useQuery(callerQuery);
  const may = useMay();
  const end = useRef<HTMLDivElement>(null);
  const count = messages.data?.length ?? 0;
  useEffect(() => {
    if (count > 0) end.current?.scrollIntoView({ block: "nearest" });
  }, [count]);
  const mayAnswer = may("chats:write");
  const isMine = takenOver !== null && takenOver.by === (caller?.user?.email ?? "operator");
  return (
    <>
      <Group justify="space-between" className={classes.head}>
        <TextLink to="/agents/$agentId" params={{ agentId }} size="sm">
          {agentName ?? conversationsStrings.openAgent}
        </TextLink>
        {mayAnswer && <TakeOver conversation={conversation} />}
      </Group>
      <div className={messageClasses.conversation}>
        <ListBody query={messages} rowHeight={80}>
          {(list) => (
            <>
              {list.map((message) => (
                <Message key={message.id} message={message} feedback={feedback?.get(message.id)} />
              ))}
              <div ref={end} />
            </>
          )}
        </ListBody>
      </div>
      {handOver !== null && <HandOver id={conversation.id} reason={handOver.reason} mayAnswer={mayAnswer} />}
      {takenOver !== null && (
        <Text size="sm" className={classes.who} role="status">
          {isMine ? conversationsStrings.yours : conversationsStrings.others({ by: takenOver.by })}
        </Text>
      )}
      {mayAnswer && isMine && <Reply conversation={conversation} />}
      <Notes conversation={conversation} isReadOnly={!mayAnswer} />
    </>
  );
}

/** Refreshes what is shown of a conversation. */
const staleAfter = () => [[...conversationKeys.all]];

function TakeOver({ conversation: { id, takenOver } }: { conversation: Conversation }) {
  const [isAsking, setAsking] = useState(false);
  const [name, setName] = useState("");
  const handBack = useRequest(() => client.handBackConversation({ id }), {
    stale: staleAfter(),
    done: conversationsStrings.handedBack,
    isLoud: true,
  });
  if (takenOver !== null) return <Action label={conversationsStrings.handBack} size="xs" runs={handBack} />;
  return (
    <>
      <Action icon={Hand} label={conversationsStrings.takeOver} size="xs" onClick={() => setAsking(true)} />
      {isAsking && (
        <FormDialog
          title={conversationsStrings.takeOverTitle}
          submitLabel={conversationsStrings.takeOver}
          stale={staleAfter()}
          onSubmit={() => client.takeOverConversation({ id }, { name })}
          onClose={() => setAsking(false)}
        >
          <Text size="sm">{conversationsStrings.takeOverText}</Text>
          <TextInput
            label={conversationsStrings.name}
            description={conversationsStrings.nameHint}
            value={name}
            maxLength={80}
            data-autofocus
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
        </FormDialog>
      )}
    </>
  );
}

/** Why the agent asks for a person, who may leave the conversation to it. */
function HandOver({ id, reason, mayAnswer }: { id: string; reason: string; mayAnswer: boolean }) {
  const declining = useRequest(() => client.declineHandOver({ id }), {
    stale: staleAfter(),
    done: conversationsStrings.declined,
    isLoud: true,
  });
  const { handOverAsked, handOverReason, declineHandOver } = conversationsStrings;
  return (
    <Group justify="space-between" gap="xs" className={classes.who}>
      <Text size="sm" role="status" flex={1} className={classes.reason}>
        {reason === "" ? handOverAsked : handOverReason({ reason })}
      </Text>
      {mayAnswer && <Action label={declineHandOver} size="xs" variant="subtle" runs={declining} />}
    </Group>
  );
}

/** What is typed stays until it was sent. */
function Reply({ conversation: { id } }: { conversation: Conversation }) {
  const [text, setText] = useState("");
  const sending = useRequest(() => client.replyToConversation({ id }, { text }), {
    stale: staleAfter(),
    next: () => setText(""),
  });
  const send = () => {
    if (text.trim() !== "" && !sending.isPending) sending.mutate();
  };
  const sendOnEnter = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <div className={classes.reply}>
      <ErrorNotice error={sending.error} title={conversationsStrings.sendFailed} />
      <Group align="end" gap="xs" wrap="nowrap">
        <Textarea
          aria-label={conversationsStrings.reply}
          placeholder={conversationsStrings.reply}
          value={text}
          maxLength={20_000}
          autosize
          minRows={1}
          maxRows={8}
          flex={1}
          onKeyDown={sendOnEnter}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Action
          icon={Send}
          label={conversationsStrings.send}
          variant="filled"
          loading={sending.isPending}
          disabled={text.trim() === ""}
          onClick={send}
        />
      </Group>
    </div>
  );
}

const eventText: Record<Conversation["events"][number]["type"], (by: string) => string> = {
  "hand-over-asked": () => conversationsStrings.askedForPerson,
  "hand-over-declined": (by) => conversationsStrings.declinedHandOver({ by }),
  "taken-over": (by) => conversationsStrings.tookOver({ by }),
  "handed-back": (by) => conversationsStrings.gaveBack({ by }),
};

/** What the team notes about a conversation. Saved when a field is left. */
function Notes({ conversation, isReadOnly }: { conversation: Conversation; isReadOnly: boolean }) {
  const { id, labels, note, events } = conversation;
  const [typed, setTyped] = useState<string>();
  const saving = useRequest(
    (changes: { labels?: string[]; note?: string }) => client.updateConversation({ id }, changes),
    { stale: staleAfter(), isLoud: true },
  );
  const saveNote = () => {
    if (typed !== undefined && typed !== note) saving.mutate({ note: typed }, { onSuccess: () => setTyped(undefined) });
  };
  return (
    <details className={classes.notes} open={labels.length > 0 || note !== "" || undefined}>
      <summary>{conversationsStrings.about}</summary>
      <TagsInput
        label={conversationsStrings.labels}
        description={conversationsStrings.labelsHint}
        value={labels}
        maxTags={20}
        readOnly={isReadOnly}
        onChange={(chosen) => saving.mutate({ labels: chosen.map((label) => label.slice(0, 40)) })}
      />
      <Textarea
        label={conversationsStrings.note}
        description={conversationsStrings.noteHint}
        value={typed ?? note}
        maxLength={5_000}
        autosize
        minRows={2}
        maxRows={8}
        readOnly={isReadOnly}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={saveNote}
      />
      {events.length > 0 && (
        <Alert variant="light" color="gray" title={conversationsStrings.history}>
          {events.map(({ type, by, at }) => (
            <Hint key={`${type} ${at}`} size="xs">
              {eventText[type](by)} · <Moment at={at} />
            </Hint>
          ))}
        </Alert>
      )}
    </details>
  );
}
