import { Alert, Code, Group, Modal, Skeleton, Stack, Tabs, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { Agent } from "@weft/client";
import { budgetOf, readBudget } from "@weft/schema";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { encode } from "uqr";
import { agentQuery, agentVersionsQuery, isOpenQuery } from "../../../api/agents.ts";
import { client } from "../../../api/client.ts";
import { useEditorState } from "../../../canvas/index.ts";
import { formatDollars, formatList } from "../../../languages/index.ts";
import { ScheduleAccess } from "../../../schedule/schedule-access.tsx";
import { sessionHeaders } from "../../../session/session.ts";
import { canvasStrings, namesIn, shareStrings, shareStrings as strings } from "../../../strings.ts";
import { CodeBlock, CopyButton } from "../../../ui/content/code-block.tsx";
import { formatExactMoment } from "../../../ui/content/format.ts";
import { Action } from "../../../ui/controls/actions.tsx";
import { TextLink } from "../../../ui/controls/links.tsx";
import { ErrorNotice } from "../../../ui/page/notices.tsx";
import { Hint } from "../../../ui/text/hint.tsx";
import { VisitorsBlocked } from "../../../visitors/visitors-blocked.tsx";
import { WebhookAccess } from "../../../webhook/webhook-access.tsx";
import { addressesOf, snippetsOf } from "../../agent-api/snippets.ts";
import type { AgentSave } from "../editor-state.ts";
import type { Appearance } from "./appearance/appearance.ts";

const AppearanceTab = lazy(async () => ({ default: (await import("./appearance/appearance-tab.tsx")).AppearanceTab }));

type ShareTargets = {
  page: string;
  embed: string;
  curl: string;
  openai: string;
  mcp: string;
};

/** What is given away to use an agent from elsewhere. `origin`: of this server, without a slash at its end. */
export function shareTargetsOf(origin: string, agentId: string): ShareTargets {
  const { openai, mcp } = addressesOf({ origin, agentId });
  return {
    page: `${origin}/chat/${agentId}`,
    embed: embedCode(origin, agentId),
    curl: snippetsOf("ask", { origin, agentId, apiKey: "YOUR_API_KEY" }).curl ?? "",
    openai,
    mcp,
  };
}

function embedCode(origin: string, agentId: string): string {
  return `<script type="module">
  import Chatbot from "${origin}/widget.js";
  Chatbot.init({ chatflowid: "${agentId}", apiHost: "${origin}" });
</script>`;
}

type Props = {
  agent: Agent;
  saving: AgentSave;
  /** Publishes the draft, or asks what has to be decided before. */
  publish(): Promise<void>;
  opened: boolean;
  onClose(): void;
};

/** Every way to use an agent from elsewhere, each with a button that uses it. */
export function ShareDialog({ opened, onClose, ...shared }: Props) {
  const [tab, setTab] = useState<ShareTab>("link");
  // Stays while the dialog is closed, so that nothing is lost by a click beside it.
  const [edited, setEdited] = useState<Appearance>();
  const size = tab === "appearance" ? 1_080 : "lg";
  return (
    <Modal opened={opened} onClose={onClose} size={size} title={strings.title({ agent: shared.saving.name })}>
      {opened && <Ways {...shared} tab={tab} onTab={setTab} edited={edited} onEdit={setEdited} />}
    </Modal>
  );
}

type ShareTab = ShareWay | "appearance";

type WaysProps = Omit<Props, "opened" | "onClose"> & {
  tab: ShareTab;
  onTab(tab: ShareTab): void;
  edited: Appearance | undefined;
  onEdit(edited: Appearance | undefined): void;
};

/** What a webhook or a schedule starts takes no messages of visitors. */
function Ways(props: WaysProps) {
  const { agent } = props;
  const start = useEditorState(({ model }) => [...model.nodes.values()].find(({ type }) => type === "start"));
  switch (start?.config.input) {
    case "webhook":
      return <WebhookAccess agentId={agent.id} config={start.config} />;
    case "schedule":
      return (
        <Stack>
          <Text size="sm">{strings.scheduled}</Text>
          <ScheduleAccess agentId={agent.id} />
        </Stack>
      );
    default:
      return <ShareWays {...props} />;
  }
}

function ShareWays({ agent: opened, saving, publish, tab, onTab, edited, onEdit }: WaysProps) {
  const { data } = useQuery(agentQuery(opened.id));
  const agent = data?.agent ?? opened;
  const targets = shareTargetsOf(window.location.origin, agent.id);
  return (
    <Stack>
      {agent.isPublic ? <PublicState agent={agent} /> : <MakePublic saving={saving} />}
      <NewerDraft agentId={agent.id} saving={saving} publish={publish} />
      <VisitorBudget agent={agent} />
      <Tabs value={tab} onChange={(next) => onTab((next ?? "link") as ShareTab)} keepMounted={false}>
        <Tabs.List mb="md">
          {shareWays.map((way) => (
            <Tabs.Tab key={way} value={way}>
              {strings.tabs[way]}
            </Tabs.Tab>
          ))}
          <Tabs.Tab value="appearance">{strings.appearance.tab}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="appearance">
          <Suspense fallback={<Skeleton height={480} />}>
            <AppearanceTab agent={agent} edited={edited} onEdit={onEdit} save={saving.saveChat} targets={targets} />
          </Suspense>
        </Tabs.Panel>
        {shareWays.map((way) => (
          <Tabs.Panel key={way} value={way}>
            <Stack gap="sm">
              <Text size="sm">{strings.texts[way]}</Text>
              {contents[way](targets, agent.id)}
              <TryIt way={way} agentId={agent.id} />
            </Stack>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}

const shareWays = namesIn(strings.tabs);

const contents: Readonly<Record<ShareWay, (targets: ShareTargets, agentId: string) => ReactNode>> = {
  link: ({ page }) => (
    <>
      <Address label={strings.addressLabels.link} text={page} />
      <QrCode text={page} />
    </>
  ),
  embed: ({ embed }) => <CodeBlock text={embed} label={strings.snippet.embed} />,
  api: ({ curl }) => <CodeBlock text={curl} label={strings.snippet.api} />,
  openai: ({ openai }, agentId) => (
    <>
      <Address label={strings.addressLabels.openai} text={openai} />
      <Address label={strings.addressLabels.model} text={agentId} />
    </>
  ),
  mcp: ({ mcp }) => <Address label={strings.addressLabels.mcp} text={mcp} />,
};

/** Whether visitors really get in, which the agent alone does not decide. */
function PublicState({ agent }: { agent: Agent }) {
  const { data: isOpen } = useQuery(isOpenQuery(agent.id));
  if (!agent.apikeyid && isOpen === false) return <VisitorsBlocked />;
  return (
    <Alert variant="light" color={agent.apikeyid ? "yellow" : "green"} role="status">
      {agent.apikeyid ? strings.needsKey : strings.isPublic}
    </Alert>
  );
}

/** Says that visitors do not get what is on the canvas, with the button that changes it. */
function NewerDraft({ agentId, saving, publish }: { agentId: string } & Pick<Props, "saving" | "publish">) {
  const [wasDirty] = useState(saving.isDirty);
  const { data: versions = [] } = useQuery({ ...agentVersionsQuery(agentId), enabled: saving.isDirty });
  const publishing = useMutation({ mutationFn: publish });
  if (!saving.isDirty) return wasDirty && <Hint role="status">{strings.nowPublished}</Hint>;
  const date = versions.find(({ current }) => current)?.createdDate;
  return (
    <Alert variant="light" color="yellow" role="status">
      <Group justify="space-between" gap="sm">
        {date === undefined ? strings.unpublished : strings.newerDraft({ date: formatExactMoment(date) })}
        <Action
          label={canvasStrings.editor.publish}
          size="xs"
          loading={publishing.isPending || saving.isPublishing}
          onClick={() => publishing.mutate()}
        />
      </Group>
    </Alert>
  );
}

/** What strangers may use up, beside the button that lets them in. */
function VisitorBudget({ agent }: { agent: Agent }) {
  const { address, visitors } = budgetOf(readBudget(agent.apiConfig)).day;
  const { runs = 0, dollars = 0 } = address;
  return (
    <Hint>
      {strings.budget({ runs, dollars: formatDollars(dollars, 0, 2), all: formatDollars(visitors.dollars ?? 0, 0, 2) })}{" "}
      <TextLink to="/agents/$agentId/settings" params={{ agentId: agent.id }} underline="always">
        {strings.changeBudget}
      </TextLink>
    </Hint>
  );
}

function MakePublic({ saving }: { saving: AgentSave }) {
  const publish = useMutation({ mutationFn: saving.makePublic });
  return (
    <Stack gap="xs">
      <Text size="sm">{strings.publishText}</Text>
      <Group>
        <Action label={strings.publish} variant="light" runs={publish} />
      </Group>
      <ErrorNotice error={publish.error} />
    </Stack>
  );
}

function Address({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <Group gap="xs">
        <Code style={{ overflowWrap: "anywhere" }}>{text}</Code>
        <CopyButton text={text} size="xs" />
      </Group>
    </div>
  );
}

function TryIt({ way, agentId }: { way: ShareWay; agentId: string }) {
  const attempt = useMutation({ mutationFn: () => tryShare(way, agentId) });
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Action label={strings.tryIt} runs={attempt} />
        <Hint size="xs">{strings.tryTexts[way]}</Hint>
      </Group>
      <ErrorNotice error={attempt.error} />
      {attempt.isSuccess && (
        <Alert variant="light" color="green" role="status" title={strings.works}>
          {attempt.data}
        </Alert>
      )}
    </Stack>
  );
}

/** A text as a QR code, dark on light in either scheme, because cameras read that best. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 4 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <svg
      role="img"
      aria-label={shareStrings.qr}
      viewBox={`0 0 ${size} ${size}`}
      width={176}
      height={176}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

type ShareWay = "link" | "embed" | "api" | "openai" | "mcp";

/** Uses an agent in one of the ways that are shared. Resolves with what happened, rejects with why it does not work. */
function tryShare(way: ShareWay, agentId: string): Promise<string> {
  return ways[way](agentId);
}

const ways: Readonly<Record<ShareWay, (agentId: string) => Promise<string>>> = {
  async link(agentId) {
    await visit(`/chat/${agentId}`);
    return strings.pageWorks;
  },
  async embed(agentId) {
    await visit("/widget.js");
    await visit(`/api/v1/public-chatbotConfig/${agentId}`);
    return strings.embedWorks;
  },
  async api(agentId) {
    const { text } = await client.createPrediction({ id: agentId }, { question: "Hello!" });
    return toAnswer(text);
  },
  async openai(agentId) {
    const messages = [{ role: "user", content: "Hello!" }];
    const body = await call("/v1/chat/completions", { model: agentId, messages });
    const { choices } = body as { choices?: { message?: { content?: string } }[] };
    return toAnswer(choices?.[0]?.message?.content);
  },
  async mcp(agentId) {
    const body = await call(`/api/v1/mcp/${agentId}`, { jsonrpc: "2.0", id: 1, method: "tools/list" });
    const { result } = body as { result?: { tools?: { name: string }[] } };
    const names = (result?.tools ?? []).map(({ name }) => name);
    if (names.length === 0) throw new Error(strings.noTools);
    return strings.tools({ names: formatList(names) });
  },
};

function toAnswer(text: string | null | undefined): string {
  return text ? strings.answered({ text }) : strings.noAnswer;
}

/** Without credentials, as a visitor comes. */
async function visit(path: string): Promise<void> {
  const { ok, status } = await fetch(path, { credentials: "omit", cache: "no-store" });
  if (!ok) throw new Error(strings.refused({ status }));
}

/** Sends JSON as the signed-in user, to an address of another protocol than our API's. */
async function call(path: string, body: object): Promise<unknown> {
  const headers = {
    Accept: "application/json, text/event-stream",
    "Content-Type": "application/json",
    ...sessionHeaders,
    ...(path.includes("/mcp/") && { "MCP-Protocol-Version": "2025-11-25" }),
  };
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  const answer: unknown = await response.json().catch(() => undefined);
  const { error } = (answer ?? {}) as { error?: { message?: string } };
  if (!response.ok || error !== undefined)
    throw new Error(error?.message ?? strings.refused({ status: response.status }));
  return answer;
}
