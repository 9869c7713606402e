import { NativeSelect, Stack, Text, TextInput, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { FlowImportRequest, FlowReading, NodeType } from "@weft/client";
import { type Finding, type FlowDocument, isJsonObject, type JsonObject } from "@weft/schema";
import { ReactFlowProvider } from "@xyflow/react";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { agentKeys, nodeTypesQuery } from "../../api/agents.ts";
import { client } from "../../api/client.ts";
import { credentialKeys } from "../../api/settings.ts";
import {
  CanvasContext,
  createCanvasSession,
  FindingsList,
  FlowChoices,
  FlowPreview,
  toModel,
  useFlowChoices,
} from "../../canvas/index.ts";
import { ConfigForm } from "../../forms/form/config-form.tsx";
import { FileUp, KeyRound } from "../../icons/icons.gen.ts";
import { formatList } from "../../languages/index.ts";
import { shellStrings, importStrings as strings } from "../../strings.ts";
import { Action } from "../../ui/controls/actions.tsx";
import { BackLink } from "../../ui/controls/links.tsx";
import { ErrorNotice } from "../../ui/page/notices.tsx";
import { useRequest } from "../../ui/page/requests.ts";
import { Hint } from "../../ui/text/hint.tsx";
import { FileChoice, type ImportFile } from "./file-choice.tsx";
import classes from "./import-page.module.css";

type Choice = FlowReading["choices"][number];
type MadeChoices = NonNullable<FlowImportRequest["choices"]>;

/** Makes an agent of exported files: shows the flow that they describe, and what is to be known and chosen, first. */
export function ImportPage() {
  useDocumentTitle(`${strings.title} · ${shellStrings.product}`);
  const [files, setFiles] = useState<readonly ImportFile[]>([]);
  const [chosen, setChosen] = useState<JsonObject>({});
  const types = useQuery(nodeTypesQuery);
  const reading = useReading(files, chosen);
  const change = (changed: readonly ImportFile[]) => {
    setFiles(changed);
    setChosen({});
  };
  const found = files.length === 0 ? undefined : reading.data;
  const panel = (
    <>
      <FileChoice files={files} onChange={change} />
      <ErrorNotice error={types.error ?? (files.length > 0 ? reading.error : null)} title={strings.unread} />
    </>
  );
  if (!found || !types.data) return <Frame panel={panel} preview={<EmptyPreview />} />;
  if (found.flows.length > 0) return <Frame panel={withFlows(panel, found, change)} preview={<EmptyPreview />} />;
  return <FoundFlow {...{ found, files, chosen, panel }} nodeTypes={types.data} onChoose={setChosen} />;
}

function useReading(files: readonly ImportFile[], chosen: JsonObject) {
  return useQuery({
    queryKey: ["import", files, chosen],
    queryFn: ({ signal }) =>
      client.readFlow({ files: [...files], choices: toChoices(chosen) } satisfies FlowImportRequest, { signal }),
    enabled: files.length > 0,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** The file is the export of a workspace: one of its flows is chosen. */
function withFlows(panel: ReactNode, { flows }: FlowReading, onChange: (files: ImportFile[]) => void): ReactNode {
  const options = flows.map(({ name }, index) => ({ value: String(index), label: name }));
  return (
    <>
      {panel}
      <NativeSelect
        label={strings.several({ count: flows.length })}
        data={[{ value: "", label: strings.chooseFlow }, ...options]}
        onChange={(event) => {
          const flow = flows[Number(event.currentTarget.value)];
          if (event.currentTarget.value !== "" && flow) onChange([{ name: `${flow.name}.json`, text: flow.flowData }]);
        }}
      />
    </>
  );
}

type FoundFlowProps = {
  found: FlowReading;
  files: readonly ImportFile[];
  chosen: JsonObject;
  panel: ReactNode;
  nodeTypes: readonly NodeType[];
  onChoose(chosen: JsonObject): void;
};

function FoundFlow({ found, files, chosen, panel, nodeTypes, onChoose }: FoundFlowProps) {
  const { choices, dialect } = found;
  // Files of other builders name what is missing; what they hold besides the flow would be lost with a changed one.
  const isChangeable = dialect === "native" || dialect === "agentflow-v2" || dialect === "classic";
  const missing = useFlowChoices(isChangeable ? found : undefined, nodeTypes);
  const { flow = found.flow } = missing;
  const findings = isChangeable ? missing.findings : found.findings;
  const session = useMemo(() => createCanvasSession(toModel(flow), nodeTypes, { isForeign: true }), [flow, nodeTypes]);
  useEffect(() => {
    session.findings.replace(Map.groupBy(findings, ({ nodeId }) => nodeId ?? ""));
    return session.elements.close;
  }, [session, findings]);
  const hasSteps = flow.nodes.length > 0;
  return (
    <CanvasContext value={session}>
      <Frame
        panel={
          <>
            {panel}
            {hasSteps && (
              <>
                <Choices {...{ flow: found.flow, choices, chosen, onChoose }} />
                {missing.choices.length > 0 && (
                  <Part title={strings.choices} text={strings.missingText}>
                    <FlowChoices
                      flow={found.flow}
                      choices={missing.choices}
                      made={missing.made}
                      onChoose={missing.choose}
                    />
                  </Part>
                )}
                <Secrets found={found} />
              </>
            )}
            {(hasSteps || findings.length > 0) && <Findings flow={flow} findings={findings} />}
          </>
        }
        foot={
          hasSteps && (
            <ImportForm
              key={found.name}
              name={found.name}
              files={missing.flowData === undefined ? files : [{ name: strings.pasted, text: missing.flowData }]}
              chosen={chosen}
            />
          )
        }
        preview={
          hasSteps ? (
            <ReactFlowProvider key={JSON.stringify(flow)}>
              <FlowPreview />
            </ReactFlowProvider>
          ) : (
            <EmptyPreview />
          )
        }
      />
    </CanvasContext>
  );
}

function Frame({ panel, foot, preview }: { panel: ReactNode; foot?: ReactNode; preview: ReactNode }) {
  return (
    <div className={classes.page}>
      <div className={classes.preview}>{preview}</div>
      <aside className={classes.panel} aria-label={strings.title}>
        <div className={classes.scroll}>
          <Stack gap="lg">
            <div>
              <BackLink to="/agents" label={strings.back} />
              <Title order={1} size="h3">
                {strings.title}
              </Title>
            </div>
            {panel}
          </Stack>
        </div>
        {foot && <div className={classes.foot}>{foot}</div>}
      </aside>
    </div>
  );
}

function EmptyPreview() {
  return (
    <div className={classes.empty}>
      <FileUp size={28} strokeWidth={1.5} aria-hidden />
      <Text size="sm">{strings.empty}</Text>
    </div>
  );
}

/** A part of the panel under its heading. */
function Part({ title, text, children }: { title: string; text: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={2} size="h5" mb={4}>
        {title}
      </Title>
      {text && <Hint mb="sm">{text}</Hint>}
      {children}
    </section>
  );
}

type ChoicesProps = {
  flow: FlowReading["flow"];
  choices: readonly Choice[];
  chosen: JsonObject;
  onChoose(chosen: JsonObject): void;
};

/** A field for everything that only this server can say, as it is in the flow now. */
function Choices({ flow, choices, chosen, onChoose }: ChoicesProps) {
  const schema = useMemo(() => toChoiceSchema(choices), [choices]);
  if (choices.length === 0) return null;
  const current = choices.flatMap((choice) => {
    const value = choice.kind === "model" ? modelOf(flow, choice) : choice.proposal;
    return value === undefined ? [] : [[keyOf(choice), value] as const];
  });
  const value: JsonObject = { ...Object.fromEntries(current), ...chosen };
  const models = choices.filter(({ kind }) => kind === "model").map(keyOf);
  const withDefaults: JsonObject = Object.fromEntries(models.map((key) => [key, {}]));
  const isOfVendor = models.some((key) => isJsonObject(value[key]) && Object.keys(value[key]).length > 0);
  return (
    <Part title={strings.choices} text={strings.choicesText}>
      {isOfVendor && (
        <Action
          label={strings.defaultModels({ count: models.length })}
          variant="light"
          size="xs"
          mb="sm"
          onClick={() => onChoose({ ...chosen, ...withDefaults })}
        />
      )}
      {/* Without a provider it is the default model's turn: that is a choice, too. */}
      <ConfigForm schema={schema} value={value} onChange={(next) => onChoose({ ...withDefaults, ...next })} />
    </Part>
  );
}

const modelFields = {
  provider: { type: "string", title: "Provider", widget: "model-provider" },
  model: { type: "string", title: "Model", widget: "model" },
  credential: { type: "string", title: "Credential", widget: "credential" },
};

function toChoiceSchema(choices: readonly Choice[]): object {
  const properties = choices.map((choice) => {
    const { kind, name } = choice;
    const title = strings.kinds[kind]({ name });
    const field =
      kind === "model"
        ? { type: "object", title, widget: "model-settings", properties: modelFields }
        : { type: "string", title, widget: kind };
    return [keyOf(choice), field] as const;
  });
  return { type: "object", properties: Object.fromEntries(properties) };
}

/** The model that the first of its steps has. */
function modelOf({ nodes }: FlowReading["flow"], { nodeIds: [first] }: Choice): JsonObject | undefined {
  const model = nodes.find(({ id }) => id === first)?.config?.model;
  if (!isJsonObject(model)) return undefined;
  return Object.fromEntries(Object.entries(model).filter(([field]) => Object.hasOwn(modelFields, field)));
}

function keyOf({ kind, name }: Choice): string {
  return `${kind}:${name}`;
}

function toChoices(chosen: JsonObject): MadeChoices {
  return Object.entries(chosen).flatMap(([key, value]) => {
    const at = key.indexOf(":");
    const choice = { kind: key.slice(0, at), name: key.slice(at + 1), value };
    return value === null || value === "" ? [] : [choice as MadeChoices[number]];
  });
}

function Secrets({ found: { secrets } }: { found: FlowReading }) {
  if (secrets.length === 0) return null;
  return (
    <Part title={strings.secrets} text={strings.secretsText}>
      <ul className={classes.secrets}>
        {secrets.map(({ name, host }) => (
          <li key={`${name} ${host}`}>
            <KeyRound size={16} aria-hidden />
            <span>
              {name}
              {host !== undefined && <span className={classes.host}> {strings.sentTo({ host })}</span>}
            </span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Findings({ flow, findings }: { flow: FlowDocument; findings: readonly Finding[] }) {
  const levels = new Map<string, Finding["level"]>();
  for (const { nodeId, level } of findings) {
    if (nodeId !== null && levels.get(nodeId) !== "error") levels.set(nodeId, level);
  }
  const all = [...levels.values()];
  const refused = all.filter((level) => level === "error").length;
  const approximate = all.length - refused;
  const steps = formatList([
    strings.exact({ count: flow.nodes.length - all.length }),
    ...(approximate > 0 ? [strings.approximate({ count: approximate })] : []),
    ...(refused > 0 ? [strings.refused({ count: refused })] : []),
  ]);
  return (
    <Part
      title={strings.findings}
      text={flow.nodes.length > 0 && <span role="status">{strings.counts({ steps })}</span>}
    >
      <FindingsList findings={findings.toSorted(errorsFirst)} />
    </Part>
  );
}

function errorsFirst(one: Finding, other: Finding): number {
  return Number(other.level === "error") - Number(one.level === "error");
}

/** Stores the flow and opens it. */
function ImportForm({
  name: found,
  files,
  chosen,
}: {
  name: string;
  files: readonly ImportFile[];
  chosen: JsonObject;
}) {
  const navigate = useNavigate();
  const [name, setName] = useState(found || strings.fallbackName);
  const { mutate, isPending, error } = useRequest(
    () => client.importFlow({ files: [...files], choices: toChoices(chosen), name: name.trim() }),
    {
      stale: [agentKeys.all, credentialKeys.all],
      next: ({ agent }) => navigate({ to: "/agents/$agentId", params: { agentId: agent.id } }),
    },
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <Stack gap="sm">
        <ErrorNotice error={error} />
        <TextInput
          label={strings.name}
          required
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Action
          label={strings.submit}
          type="submit"
          fullWidth
          loading={isPending}
          disabled={name.trim() === ""}
          variant="filled"
        />
      </Stack>
    </form>
  );
}
