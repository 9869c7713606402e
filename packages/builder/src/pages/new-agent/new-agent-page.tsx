import { Text, Title, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import type { TemplateSummary } from "@weft/client";
import { useState } from "react";
import { templatesQuery } from "../../api/agents.ts";
import type { LucideIcon } from "../../icons/create-icon.ts";
import { FileUp, Plus } from "../../icons/icons.gen.ts";
import { newAgentStrings as strings } from "../../strings.ts";
import { ListBody } from "../../ui/page/notices.tsx";
import { Page } from "../../ui/page/page.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import { BlankDialog, TemplateDialog } from "./create-dialogs.tsx";
import classes from "./new-agent-page.module.css";
import { TemplateGallery } from "./template-gallery.tsx";

/** The ways to a new agent: nothing yet, a file, or a template. */
export function NewAgentPage() {
  const templates = useQuery(templatesQuery);
  const { blank = false } = useSearch({ from: "/new" });
  const navigate = useNavigate();
  const router = useRouter();
  const [template, setTemplate] = useState<TemplateSummary>();
  const setBlank = (isOpen: boolean) =>
    void navigate({ to: "/new", search: isOpen ? { blank: true } : {}, replace: !isOpen });
  // The dialog also closes when its agent was made, which leads away from this page.
  const closeBlank = () => router.latestLocation.pathname === "/new" && setBlank(false);
  return (
    <Page title={strings.title} summary={strings.summary}>
      <div className={classes.ways}>
        <UnstyledButton className={classes.way} onClick={() => setBlank(true)}>
          <Way icon={Plus} title={strings.blank} text={strings.blankText} />
        </UnstyledButton>
        <UnstyledButton className={classes.way} renderRoot={(props) => <Link to="/agents/import" {...props} />}>
          <Way icon={FileUp} title={strings.import} text={strings.importText} />
        </UnstyledButton>
      </div>
      <Title order={2}>{strings.templates}</Title>
      <ListBody query={templates} rowHeight={220}>
        {(rows) => <TemplateGallery templates={rows} onChoose={setTemplate} />}
      </ListBody>
      {blank && <BlankDialog onClose={closeBlank} />}
      {template && <TemplateDialog template={template} onClose={() => setTemplate(undefined)} />}
    </Page>
  );
}

function Way({ icon: Icon, title, text }: { icon: LucideIcon; title: string; text: string }) {
  return (
    <>
      <span className={classes.icon}>
        <Icon size={20} strokeWidth={1.75} aria-hidden />
      </span>
      <span>
        <Text component="span" display="block" size="sm" fw={600}>
          {title}
        </Text>
        <Hint component="span" display="block">
          {text}
        </Hint>
      </span>
    </>
  );
}
