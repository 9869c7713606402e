import { Alert, Select, Text, TextInput } from "@mantine/core";
import type { DocumentComponent } from "@weft/client";
import { Section } from "../../../components/section.tsx";
import { ConfigForm } from "../../../forms/form/config-form.tsx";
import { documentStoresStrings } from "../../../strings/document-stores.ts";
import { FileDrop } from "../upload/file-drop.tsx";
import { FileList, type ListedFile } from "../upload/file-list.tsx";
import { addUploads } from "../upload/upload.ts";
import { type LoaderDraft, loaderName, withoutFiles } from "./loader-draft.ts";
import type { LoaderForm } from "./upload-field.ts";

const strings = documentStoresStrings.loader;

type Change = (changed: Partial<LoaderDraft>) => void;

type Props = {
  draft: LoaderDraft;
  change: Change;
  type: DocumentComponent | undefined;
  form: LoaderForm | undefined;
  types: readonly DocumentComponent[];
  isNew: boolean;
};

/** What a loader loads. Its kind stays as it is once it is stored. */
export function LoaderFields({ draft, change, type, form, types, isNew }: Props) {
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
      {type === undefined && <Alert color="yellow">{strings.unknownKind(draft.type)}</Alert>}
      {form?.uploadName !== undefined && <Files draft={draft} change={change} />}
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

function Files({ draft: { kept, added }, change }: { draft: LoaderDraft; change: Change }) {
  const files: ListedFile[] = [
    ...kept.map(({ id, name, size }) => ({ key: id, name, sizeBytes: size, isStored: true })),
    ...added.map(({ path, file }) => ({ key: path, name: path, sizeBytes: file.size, isStored: false })),
  ];
  return (
    <div>
      <Text size="sm" fw={500} mb={6}>
        {documentStoresStrings.upload.list}
      </Text>
      <FileDrop
        text={documentStoresStrings.upload.orPlain}
        onFiles={(uploads) => change({ added: addUploads(added, uploads) })}
      />
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
