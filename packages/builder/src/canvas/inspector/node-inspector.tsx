import { Alert, Box, Group, Stack, Tabs, TextInput, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Finding, FlowNode, Json, JsonObject, Refusal } from "@weft/schema";
import { type KeyboardEvent, lazy, Suspense, useContext, useMemo, useState } from "react";
import { variablesQuery } from "../../api/settings.ts";
import { BindHostButton } from "../../connections/bind-host-button.tsx";
import type { DescribedFinding } from "../../described/describer.ts";
import { shownLabel } from "../../described/node-title.ts";
import { ConfigForm, type FormSection, sectionOfPath, sectionsOf } from "../../forms/form/config-form.tsx";
import { Copy, Send, Spline, Trash2, X } from "../../icons/icons.gen.ts";
import { canvasStrings, formStrings, playgroundStrings } from "../../strings.ts";
import { CodeBlock } from "../../ui/content/code-block.tsx";
import { prettyJson } from "../../ui/content/format.ts";
import { Action, IconAction } from "../../ui/controls/actions.tsx";
import { NodeIcon } from "../../ui/node-icon.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import { WebhookAccess } from "../../webhook/webhook-access.tsx";
import { isAsked } from "../attention.ts";
import { OpenAgentContext, useCanvas, useEditorState, useKeyed } from "../canvas-context.ts";
import { waysOut } from "../model/connection-rules.ts";
import { configureNode, dismissRefusal, labelNode, withValueAt } from "../model/edits.ts";
import { valueAt } from "../model/node-catalogue.ts";
import { StepActions } from "../step-actions.tsx";
import { toFacts } from "../step-run.ts";
import lastRunClasses from "./last-run.module.css";
import classes from "./node-inspector.module.css";
import { sampleOf, templateVariables } from "./template-variables.ts";

const { inspector } = canvasStrings;

/** The selected step: its name, its settings and its problems. */
export function NodeInspector({ node }: { node: FlowNode }) {
  const { editor, catalogue } = useCanvas();
  const type = catalogue.typeOf(node);
  const { errors, findings, problems } = useNodeFindings(node);
  const context = useFormContext(node);
  const [tab, setTab] = useState<Tab>("setup");
  const sections = type
    ? sectionsOf(type.config, node.config, { ...context, errors: problems })
    : [{ section: "setup" as const, problems: 0 }];
  const tabs = [...sections, ...(type?.executes === false ? [] : [{ section: "last-run" as const, problems: 0 }])];
  const shown = tabs.some(({ section }) => section === tab) ? tab : "setup";
  const change = (config: JsonObject) =>
    editor.edit(configureNode(editor.state().model, catalogue, { id: node.id, config }), `config ${node.id}`);
  const leave = (event: KeyboardEvent<HTMLElement>) => {
    const isOwn = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key !== "Escape" || event.defaultPrevented || !isOwn) return;
    // Stops here: on the canvas Escape clears the selection, and so closes this panel.
    event.stopPropagation();
    event.nativeEvent.stopImmediatePropagation();
    document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(node.id)}"]`)?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape goes back to the canvas from wherever one is in here
    <div className={classes.inspector} onKeyDown={leave}>
      <div className={classes.head}>
        <NodeIcon icon={type?.icon} group={type?.group} />
        <NameInput node={node} />
        <NodeActions node={node} />
      </div>
      <Tabs className={classes.tabs} value={shown} onChange={(value) => setTab((value ?? "setup") as Tab)}>
        <Tabs.List px={8}>
          {tabs.map(({ section, problems }) => (
            <Tabs.Tab key={section} value={section} rightSection={problems > 0 && <ProblemDot count={problems} />}>
              {inspector.tabs[section]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={shown} className={classes.body}>
          {shown === "last-run" ? (
            <LastRun nodeId={node.id} />
          ) : (
            <>
              {shown === "setup" && <Hint>{type?.summary ?? inspector.unknownType({ type: node.type })}</Hint>}
              <FindingList
                findings={findings.filter(({ path }) => sectionOfPath(type?.config ?? {}, path) === shown)}
                onFix={({ path, value }) => change(withValueAt(node.config, path, value))}
                onDealt={(refusal) => editor.edit(dismissRefusal(editor.state().model, node.id, refusal))}
              />
              {shown === "setup" && <TriggerAccess node={node} />}
              {type && (
                <ConfigForm
                  key={`${node.id} ${shown}`}
                  schema={type.config}
                  value={node.config}
                  onChange={change}
                  context={context}
                  errors={errors}
                  section={shown}
                />
              )}
              {shown === "setup" && context.renderTrial(node.type, node.config)}
              <Hint size="xs">{inspector.id({ id: node.id })}</Hint>
            </>
          )}
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}

type Tab = FormSection | "last-run";

/** How programs reach the step that a webhook starts. */
function TriggerAccess({ node: { type, config } }: { node: FlowNode }) {
  const agentId = useContext(OpenAgentContext);
  if (agentId === undefined || type !== "start" || config.input !== "webhook") return null;
  return <WebhookAccess agentId={agentId} config={config} />;
}

function ProblemDot({ count }: { count: number }) {
  return (
    <span className={classes.problems}>
      {count}
      <VisuallyHidden>{formStrings.problems({ count })}</VisuallyHidden>
    </span>
  );
}

/** Problems of a step: per field, and of the step as a whole. */
function useNodeFindings(node: FlowNode) {
  const { catalogue, findings: store, attention } = useCanvas();
  const type = catalogue.typeOf(node);
  const found = useKeyed(store, node.id);
  const asked = useKeyed(attention.steps, node.id);
  return useMemo(() => {
    // The panel is about this node, so its name is not repeated in every sentence.
    const prefix = `Node "${node.label || type?.title}": `;
    const said = (found ?? []).filter(({ code, path }) => {
      if (path === undefined || !ofEmptyFields.has(code)) return true;
      return isAsked(asked, path) || !isEmpty(valueAt(node.config, path));
    });
    const own = said.map((finding: DescribedFinding) => {
      const { code, message, written = message } = finding;
      return {
        ...finding,
        message: finding.own ?? message.replace(prefix, ""),
        refusal: node.refused?.find((refusal) => refusal.code === code && refusal.message === written),
      };
    });
    return {
      errors: own.flatMap(({ path, message, fix }) => (path === undefined || fix ? [] : [{ path, message }])),
      findings: own.filter(({ path, fix, refusal }) => path === undefined || fix || refusal),
      problems: own.map(({ path = "", message }) => ({ path, message })),
    };
  }, [found, asked, node.config, node.label, node.refused, type]);
}

/** Findings about a field that nobody has filled in, if it is empty. */
const ofEmptyFields = new Set([
  "node-config-invalid",
  "tool-config-invalid",
  "reply-empty",
  "store-missing",
  "schedule-missing",
  "items-missing",
  "options-missing",
  "condition-empty",
]);

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

function NameInput({ node }: { node: FlowNode }) {
  const { editor, catalogue } = useCanvas();
  const type = catalogue.typeOf(node);
  // What is typed stays as typed, even if it is the title of a type in another language.
  const [isTyping, setTyping] = useState(false);
  return (
    <TextInput
      className={classes.label}
      variant="unstyled"
      aria-label={inspector.label}
      value={isTyping || node.label === "" ? node.label : shownLabel(node.label, type)}
      placeholder={type?.title ?? node.type}
      onChange={(event) => {
        setTyping(true);
        editor.edit(labelNode(editor.state().model, node.id, event.currentTarget.value), `label ${node.id}`);
      }}
      onBlur={() => {
        setTyping(false);
        editor.seal();
      }}
    />
  );
}

/** Connect, duplicate, remove, close. */
function NodeActions({ node }: { node: FlowNode }) {
  const { catalogue, commands, elements, view } = useCanvas();
  const leadsOn = waysOut(node, catalogue).length > 0;
  const leaving = (act: () => void) => () => {
    act();
    view.focus();
  };
  return (
    <>
      {leadsOn && (
        <IconAction tip iconSize={16} icon={Spline} label={inspector.connect} onClick={() => view.askConnection()} />
      )}
      <IconAction tip iconSize={16} icon={Copy} label={inspector.duplicate} onClick={commands.duplicateSelection} />
      <IconAction
        tip
        iconSize={16}
        icon={Trash2}
        label={inspector.remove}
        onClick={leaving(commands.removeSelection)}
      />
      <IconAction tip iconSize={16} icon={X} label={inspector.close} onClick={leaving(() => elements.select([]))} />
    </>
  );
}

/** `refusal`: a part that an import left out, shown until someone dismisses it. */
type NodeFinding = Finding & { refusal: Refusal | undefined };

type FindingListProps = {
  findings: readonly NodeFinding[];
  onFix(fix: NonNullable<Finding["fix"]>): void;
  onDealt(refusal: Refusal): void;
};

function FindingList({ findings, onFix, onDealt }: FindingListProps) {
  if (findings.length === 0) return null;
  return (
    <Stack gap={8}>
      {findings.map(({ level, code, message, fix, bind, refusal }) => (
        <Alert key={`${code} ${message}`} variant="light" color={level === "error" ? "red" : "orange"} p="xs">
          {message}
          {bind && (
            <Box mt={8}>
              <BindHostButton bind={bind} />
            </Box>
          )}
          {fix && <Action label={fix.title} size="compact-xs" mt={8} display="block" onClick={() => onFix(fix)} />}
          {refusal && (
            <Action
              label={inspector.dealtWith}
              size="compact-xs"
              mt={8}
              display="block"
              onClick={() => onDealt(refusal)}
            />
          )}
        </Alert>
      ))}
    </Stack>
  );
}

/** The variables a node's fields can refer to: those of the edited flow and the platform's. */
function useFormContext(node: FlowNode) {
  const { catalogue, lastRun, attention } = useCanvas();
  const agentId = useContext(OpenAgentContext);
  const asked = useKeyed(attention.steps, node.id);
  const model = useEditorState((state) => state.model);
  const { data } = useQuery(variablesQuery);
  return useMemo(() => {
    const nodes = [...model.nodes.values()];
    const variables = [data ?? []].flat().flatMap((entry) => ("name" in entry ? [entry.name] : []));
    const schemas = Object.fromEntries(catalogue.types.map(({ type, config }) => [type, config]));
    const flow = { nodes, edges: [...model.edges.values()], schemas, variables };
    const beside = nodes.filter(
      (other) => other.parent === node.parent && other.id !== node.id && catalogue.hasInput(other),
    );
    return {
      agentId,
      variables: templateVariables(flow, node.id).map((variable) => ({
        ...variable,
        sample: () => sampleOf(variable.path, lastRun.get),
      })),
      nodes: beside.map(({ id, label, type }) => ({ id, label: label || type })),
      isAsked: (path: string) => isAsked(asked, path),
      onLeft: (path: string) => attention.leave(node.id, path),
      renderTrial: (toolType: string, config: JsonObject) => (
        <SendTestRequest type={toolType} config={config} onOpen={() => attention.demand(node.id)} />
      ),
    };
  }, [model, data, catalogue, lastRun, attention, agentId, asked, node.id, node.parent]);
}

const RequestTrialDialog = lazy(async () => ({
  default: (await import("./request-trial-dialog.tsx")).RequestTrialDialog,
}));

const senders = new Set(["request-get", "request-post", "request-put", "request-delete", "openapi-toolkit", "http"]);

type SendTestRequestProps = { type: string; config: JsonObject; onOpen(): void };

/** Tests the request of a request integration, a toolkit or an HTTP step, if `type` is one. */
function SendTestRequest({ type, config, onOpen }: SendTestRequestProps) {
  const [isOpen, setOpen] = useState(false);
  if (!senders.has(type)) return null;
  return (
    <>
      <Action
        icon={Send}
        label={formStrings.trial.open}
        size="xs"
        w="fit-content"
        onClick={() => {
          onOpen();
          setOpen(true);
        }}
      />
      {isOpen && (
        <Suspense fallback={null}>
          <RequestTrialDialog type={type} config={config} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** The input and output of a step in the agent's last run. */
function LastRun({ nodeId }: { nodeId: string }) {
  const run = useKeyed(useCanvas().lastRun, nodeId);
  if (run === undefined) {
    return (
      <>
        <StepActions nodeId={nodeId} run={undefined} />
        <Hint>{canvasStrings.lastRun.none}</Hint>
      </>
    );
  }
  return (
    <>
      <StepActions nodeId={nodeId} run={run} />
      <Group justify="space-between">
        <Hint className={lastRunClasses.facts}>{toFacts(run)}</Hint>
        <Link to="/executions/$executionId" params={{ executionId: run.executionId }} className={lastRunClasses.link}>
          {canvasStrings.lastRun.open}
        </Link>
      </Group>
      {run.tokens > 0 && (
        <Link
          to="/playground"
          search={{ execution: run.executionId, step: run.nodeKey }}
          className={lastRunClasses.link}
        >
          {playgroundStrings.compare}
        </Link>
      )}
      {run.passes > 1 && <Hint>{canvasStrings.lastRun.passes({ count: run.passes })}</Hint>}
      {run.error !== undefined && (
        <Alert variant="light" color="red" p="xs" title={canvasStrings.lastRun.error}>
          {run.error}
        </Alert>
      )}
      <Value title={canvasStrings.lastRun.input} value={run.input} />
      <Value title={canvasStrings.lastRun.output} value={run.output} />
    </>
  );
}

function Value({ title, value }: { title: string; value: Json }) {
  return (
    <section>
      <h2 className={lastRunClasses.title}>{title}</h2>
      {value === null ? (
        <Hint>{canvasStrings.lastRun.nothing}</Hint>
      ) : (
        <CodeBlock text={prettyJson(value)} label={title} />
      )}
    </section>
  );
}
