/** A value that a template can refer to at some step of a flow. */
export type TemplateVariable = {
  /** As it stands between braces: `question`, `$form.city`, `agent_0.output.title`. */
  path: string;
  /** What it is, in a few words. */
  title: string;
  /** Under which heading it is offered. */
  group: string;
};
