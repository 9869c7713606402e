/** A value that a template can refer to at some step of a flow. */
export type TemplateVariable = {
  /** The text between the braces: `question`, `$form.city`, `agent_0.output.title`. */
  path: string;
  /** A short description. */
  title: string;
  /** Under which heading it is offered. */
  group: string;
};
