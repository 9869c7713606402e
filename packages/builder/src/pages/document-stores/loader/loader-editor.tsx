import { Alert, Group, Select, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { DocumentComponent } from "@weft/client";
import { useMemo, useState } from "react";
import {
  documentStoreKeys,
  documentStoreQuery,
  loaderQuery,
  loaderTypesQuery,
  splittersQuery,
} from "../../../api/document-stores.ts";
import { ConfigForm } from "../../../forms/form/config-form.tsx";
import { Save, UploadCloud } from "../../../icons/icons.gen.ts";
import { documentStoresStrings } from "../../../strings.ts";
import { Action } from "../../../ui/controls/actions.tsx";
import { BackLink } from "../../../ui/controls/links.tsx";
import { LeaveGuard, LoadedPage } from "../../../ui/page/draft-page.tsx";
import { ErrorNotice, notifyDone } from "../../../ui/page/notices.tsx";
import { Page, Section } from "../../../ui/page/page.tsx";
import { ComponentChoice } from "../component-choice.tsx";
import { FileDrop, FileList, type ListedFile } from "../upload/file-drop.tsx";
import { addUploads, type Upload } from "../upload/upload.ts";
import classes from "./loader.module.css";
import {
  draftKey,
  isComplete,
  type LoaderDraft,
  type LoaderForm,
  loaderName,
  newLoaderDraft,
  saveDraft,
  toLoaderDraft,
  toLoaderForm,
  upsertDraft,
  withoutFiles,
} from "./loader-draft.ts";
import { PreviewPanel } from "./preview-panel.tsx";

const strings = documentStoresStrings.loader;

/** The source and the splitter of a loader, with a preview of the chunks. */
export function LoaderEditor(input: EditorInput) {
  const { storeId, initial, loaderId, types } = input;
  const { draft, change, add, type, form, loader, isDirty, canSend, send, sending, error } = useLoaderEditor(input);
  return (
    <Page
      title={loaderId === undefined ? strings.newTitle : initial.name}
      summary={<BackToStore storeId={storeId} />}
      actions={
        <>
          <Action
            icon={Save}
            label={strings.save}
            loading={sending === "save"}
            disabled={!canSend || sending !== undefined}
            onClick={() => send("save")}
          />
          <Action
            icon={UploadCloud}
            label={strings.upsert}
            loading={sending === "upsert"}
            disabled={!canSend || sending !== undefined}
            onClick={() => send("upsert")}
            variant="filled"
          />
        </>
      }
    >
      <ErrorNotice error={error} />
      <div className={classes.columns}>
        <div className={classes.column}>
          <LoaderFields {...{ draft, change, add, type, form, types }} isNew={loaderId === undefined} />
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
      <BackLink
        to="/document-stores/$storeId"
        params={{ storeId }}
        label={data?.name || documentStoresStrings.backToStore}
      />
    </Group>
  );
}

type EditorInput = {
  storeId: string;
  loaderId: string | undefined;
  initial: LoaderDraft;
  types: readonly DocumentComponent[];
  splitters: readonly DocumentComponent[];
};

function useLoaderEditor({ storeId, loaderId, initial, types, splitters }: EditorInput) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [draft, setDraft] = useState(initial);
  const type = types.find(({ name }) => name === draft.type);
  const splitter = splitters.find(({ name }) => name === draft.splitter.name);
  const form = useMemo(() => (type === undefined ? undefined : toLoaderForm(type.schema)), [type]);
  const loader = { storeId, loaderId, draft, uploadName: form?.uploadName };
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: async (how: "save" | "upsert") => (how === "upsert" ? upsertDraft(loader) : saveDraft(loader)),
    async onSuccess(upsert) {
      if (upsert === undefined) notifyDone(strings.saved({ name: loaderName(draft) || (type?.title ?? "") }));
      await queries.invalidateQueries({ queryKey: documentStoreKeys.all });
      const search = upsert === undefined ? {} : { upsert };
      await navigate({ to: "/document-stores/$storeId", params: { storeId }, search, ignoreBlocker: true });
    },
  });
  return {
    draft,
    change: (changed: Partial<LoaderDraft>) => setDraft((now) => ({ ...now, ...changed })),
    // A folder takes a while to be read: other files may have come since.
    add: (uploads: readonly Upload[]) => setDraft((now) => ({ ...now, added: addUploads(now.added, uploads) })),
    type,
    form,
    loader,
    isDirty: draftKey(draft) !== draftKey(initial),
    canSend: type !== undefined && splitter !== undefined && isComplete(draft, type, splitter),
    send: mutate,
    sending: isPending ? variables : undefined,
    error,
  };
}

type Change = (changed: Partial<LoaderDraft>) => void;

type LoaderFieldsProps = {
  draft: LoaderDraft;
  change: Change;
  add(uploads: readonly Upload[]): void;
  type: DocumentComponent | undefined;
  form: LoaderForm | undefined;
  types: readonly DocumentComponent[];
  isNew: boolean;
};

/** The source of a loader. Its type cannot change once it is stored. */
function LoaderFields({ draft, change, add, type, form, types, isNew }: LoaderFieldsProps) {
  return (
    <Section title={type?.title ?? draft.type} text={type?.summary}>
      {isNew && (
        <Select
          label={strings.kind}
          data={types.map(({ name, title }) => ({ value: name, label: title }))}
          value={type === undefined ? null : draft.type}
          allowDeselect={false}
          onChange={(chosen) => chosen !== null && change({ type: chosen, config: {} })}
        />
      )}
      {type === undefined && <Alert color="yellow">{strings.unknownKind({ name: draft.type })}</Alert>}
      {form?.uploadName !== undefined && <Files {...{ draft, change, add }} />}
      {form !== undefined && (
        <ConfigForm
          key={draft.type}
          schema={form.schema}
          value={withoutFiles(draft.config, form.uploadName)}
          onChange={(config) => change({ config })}
        />
      )}
      <TextInput
        label={strings.name}
        description={strings.nameHelp}
        value={draft.name}
        placeholder={loaderName(draft) || type?.title}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
    </Section>
  );
}

function Files({ draft: { kept, added }, change, add }: Pick<LoaderFieldsProps, "draft" | "change" | "add">) {
  const files: ListedFile[] = [
    ...kept.map(({ id, name, size }) => ({ key: id, name, sizeBytes: size, isStored: true })),
    ...added.map(({ path, file }) => ({ key: path, name: path, sizeBytes: file.size, isStored: false })),
  ];
  return (
    <div>
      <Text size="sm" fw={500} mb={6}>
        {documentStoresStrings.upload.list}
      </Text>
      <FileDrop text={documentStoresStrings.upload.orPlain} onFiles={add} />
      <FileList
        files={files}
        onRemove={(key) =>
          change({ kept: kept.filter(({ id }) => id !== key), added: added.filter(({ path }) => path !== key) })
        }
        onClear={() => change({ kept: [], added: [] })}
      />
    </div>
  );
}

export function LoaderPage() {
  const { storeId, loaderId } = useParams({ from: "/document-stores/$storeId/loaders/$loaderId" });
  const query = useQuery({ ...loaderQuery(storeId, loaderId), staleTime: 0, refetchOnWindowFocus: false });
  return (
    <LoadedPage query={query} title={strings.newTitle}>
      {(loader) => (
        <LoadedEditor key={loaderId} storeId={storeId} loaderId={loaderId} initial={toLoaderDraft(loader)} />
      )}
    </LoadedPage>
  );
}

export function NewLoaderPage() {
  const { storeId } = useParams({ from: "/document-stores/$storeId/loaders/new" });
  const { type } = useSearch({ from: "/document-stores/$storeId/loaders/new" });
  return <LoadedEditor key={type} storeId={storeId} loaderId={undefined} initial={newLoaderDraft(type ?? "file")} />;
}

type Props = { storeId: string; loaderId: string | undefined; initial: LoaderDraft };

/** With what the server can load and split. */
function LoadedEditor(props: Props) {
  const types = useQuery(loaderTypesQuery);
  const splitters = useQuery(splittersQuery);
  const query = {
    data: types.data && splitters.data && { types: types.data, splitters: splitters.data },
    error: types.error ?? splitters.error,
    refetch: () => Promise.all([types.refetch(), splitters.refetch()]),
  };
  return (
    <LoadedPage query={query} title={strings.newTitle}>
      {(components) => <LoaderEditor {...props} {...components} />}
    </LoadedPage>
  );
}
