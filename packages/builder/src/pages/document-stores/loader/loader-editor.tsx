import { Anchor, Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeft, Save, UploadCloud } from "lucide-react";
import { documentStoreQuery, splittersQuery } from "../../../api/document-stores.ts";
import { ErrorNotice } from "../../../components/error-notice.tsx";
import { LeaveGuard } from "../../../components/leave-guard.tsx";
import { Page } from "../../../components/page.tsx";
import { Section } from "../../../components/section.tsx";
import { documentStoresStrings } from "../../../strings/document-stores.ts";
import { ComponentChoice } from "../component-choice.tsx";
import classes from "./loader.module.css";
import { LoaderFields } from "./loader-fields.tsx";
import { PreviewPanel } from "./preview-panel.tsx";
import { type EditorInput, useLoaderEditor } from "./use-loader-editor.ts";

const strings = documentStoresStrings.loader;

/** What to load and how to split it, with a look at what comes of it. */
export function LoaderEditor(input: EditorInput) {
  const { storeId, initial, loaderId, types } = input;
  const { draft, change, type, form, loader, isDirty, canSend, send, sending, error } = useLoaderEditor(input);
  return (
    <Page
      title={loaderId === undefined ? strings.newTitle : initial.name}
      summary={<BackToStore storeId={storeId} />}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<Save size={16} aria-hidden />}
            loading={sending === "save"}
            disabled={!canSend || sending !== undefined}
            onClick={() => send("save")}
          >
            {strings.save}
          </Button>
          <Button
            leftSection={<UploadCloud size={16} aria-hidden />}
            loading={sending === "upsert"}
            disabled={!canSend || sending !== undefined}
            onClick={() => send("upsert")}
          >
            {strings.upsert}
          </Button>
        </>
      }
    >
      <ErrorNotice error={error} />
      <div className={classes.columns}>
        <div className={classes.column}>
          <LoaderFields {...{ draft, change, type, form, types }} isNew={loaderId === undefined} />
          <Section title={strings.splitter} text={strings.splitterHelp}>
            <ComponentChoice
              label={documentStoresStrings.settings.kind}
              components={splittersQuery}
              value={draft.splitter}
              onChange={(splitter) => change({ splitter })}
            />
          </Section>
        </div>
        <PreviewPanel loader={loader} canPreview={canSend} />
      </div>
      <LeaveGuard isDirty={isDirty} text={strings.leave} />
    </Page>
  );
}

/** The way back to a store, under its name. */
export function BackToStore({ storeId }: { storeId: string }) {
  const { data } = useQuery(documentStoreQuery(storeId));
  return (
    <Group gap={4}>
      <Anchor
        size="sm"
        c="dimmed"
        renderRoot={(props) => <Link {...props} to="/document-stores/$storeId" params={{ storeId }} />}
      >
        <ArrowLeft size={14} aria-hidden style={{ verticalAlign: "-2px" }} />{" "}
        {documentStoresStrings.backToStore(data?.name ?? "")}
      </Anchor>
    </Group>
  );
}
