import { Badge, Select, Stack } from "@mantine/core";
import { type UseQueryOptions, useQuery } from "@tanstack/react-query";
import type { DocumentComponent } from "@weft/client";
import type { JsonObject } from "@weft/schema";
import { type Choice, retrievalSettingsQuery } from "../../api/document-stores.ts";
import { ConfigForm } from "../../forms/form/config-form.tsx";
import { documentStoresStrings } from "../../strings.ts";
import { Loaded } from "../../ui/page/notices.tsx";
import { Hint } from "../../ui/text/hint.tsx";

const strings = documentStoresStrings.settings;

type Props = {
  label: string;
  help?: string;
  /** The available options. */
  components: UseQueryOptions<DocumentComponent[], Error, DocumentComponent[], string[]>;
  /** Name of the one that works without a key and without the network. */
  standard?: string;
  value: Choice;
  onChange(value: Choice): void;
};

/** One adapter of the catalogue with its form. What another client chose, and the catalogue does not list, is kept. */
export function ComponentChoice({ components, ...choice }: Props) {
  return (
    <Loaded query={useQuery(components)} until={60}>
      {(offered) => <OfferedChoice {...choice} offered={offered} />}
    </Loaded>
  );
}

type OfferedProps = Omit<Props, "components"> & { offered: readonly DocumentComponent[] };

function OfferedChoice({ label, help, offered, standard, value, onChange }: OfferedProps) {
  const chosen = offered.find(({ name }) => name === value.name);
  const foreign = chosen === undefined ? [{ value: value.name, label: strings.foreign({ name: value.name }) }] : [];
  return (
    <Stack gap="md">
      <div>
        <Select
          label={label}
          description={help}
          data={[...offered.map(({ name, title }) => ({ value: name, label: title })), ...foreign]}
          value={value.name}
          allowDeselect={false}
          onChange={(name) => name !== null && name !== value.name && onChange({ name, config: {} })}
        />
        <Hint mt={6}>
          {chosen?.summary ?? strings.foreignHelp}{" "}
          {standard === value.name && (
            <Badge component="span" variant="light" color="green" size="sm">
              {strings.standard}
            </Badge>
          )}
        </Hint>
      </div>
      {chosen !== undefined && hasFields(chosen) && (
        <ConfigForm
          key={chosen.name}
          schema={chosen.schema}
          value={value.config}
          onChange={(config) => onChange({ ...value, config })}
        />
      )}
    </Stack>
  );
}

/** How a store is searched. */
export function RetrievalSettings({ value, onChange }: { value: JsonObject; onChange(value: JsonObject): void }) {
  return (
    <Loaded query={useQuery(retrievalSettingsQuery)} until={60}>
      {([settings]) => settings && <ConfigForm schema={settings.schema} value={value} onChange={onChange} />}
    </Loaded>
  );
}

function hasFields({ schema }: DocumentComponent): boolean {
  return Object.keys(schema.properties ?? {}).length > 0;
}
