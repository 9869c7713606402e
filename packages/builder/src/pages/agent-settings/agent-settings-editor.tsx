import type { StoredDraft } from "../../api/use-stored-draft.ts";
import { BackToAgent } from "../../components/back-to-agent.tsx";
import { DraftPage } from "../../components/draft-page.tsx";
import { Section } from "../../components/section.tsx";
import { agentSettingsStrings as strings } from "../../strings/agent-settings.ts";
import { AccessFields } from "./access-fields.tsx";
import type { AgentSettings } from "./agent-settings-draft.ts";
import { ChatFields } from "./chat-fields.tsx";
import { LimitFields } from "./limit-fields.tsx";
import { OriginFields } from "./origin-fields.tsx";
import { OverrideFields } from "./override-fields.tsx";
import { useAgentSettings } from "./use-agent-settings.ts";
import { WriteFields } from "./write-fields.tsx";

type Props = { name: string; flowData: string; stored: StoredDraft<AgentSettings> & { id: string } };

export function AgentSettingsEditor({ name, flowData, stored }: Props) {
  const { draft, change, ...editing } = useAgentSettings(stored);
  const fields = { draft, change };
  return (
    <DraftPage
      title={strings.title(name)}
      summary={<BackToAgent agentId={stored.id} />}
      editing={editing}
      strings={strings}
    >
      <Section title={strings.access}>
        <AccessFields {...fields} agentId={stored.id} isDirty={editing.isDirty} />
      </Section>
      <Section title={strings.pages} text={strings.pagesText}>
        <OriginFields {...fields} />
      </Section>
      <Section title={strings.limits} text={strings.limitsText}>
        <LimitFields {...fields} />
      </Section>
      <Section title={strings.overrides} text={strings.overridesText}>
        <OverrideFields {...fields} flowData={flowData} />
      </Section>
      <Section title={strings.writes} text={strings.writesText}>
        <WriteFields {...fields} />
      </Section>
      <Section title={strings.chat} text={strings.chatText}>
        <ChatFields {...fields} />
      </Section>
    </DraftPage>
  );
}
