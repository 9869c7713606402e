/**
 * Kinds of things a setting can refer to, by id or by name. An `address` is a URL or a host, and refers to nothing
 * stored.
 */
export const referenceKinds = [
  ...(["credential", "agent", "document-store", "tool", "mcp-server"] as const),
  ...(["variable", "model", "file", "address"] as const),
] as const;
export type ReferenceKind = (typeof referenceKinds)[number];

/** Registries whose entries have settings of their own. */
export type ComponentKind = "tool" | "loader" | "embedding" | "vector-store";

/** Where a credential is sent. Names refer to fields beside the credential. */
export type Destination =
  /** A field with an address; `port` if the address has none, whatever its scheme's default. */
  | { readonly address: string; readonly port?: number }
  /**
   * Fields with the host and the port of a database; `ports`: its default, or those of the systems that `system` names.
   */
  | { readonly host: string; readonly port: string; readonly usual: number }
  | {
      readonly host: string;
      readonly port: string;
      readonly system: string;
      readonly otherwise: string;
      readonly usual: Readonly<Record<string, number>>;
    }
  /**
   * A field with the name of a provider, whose hosts these are; null or an empty value means the component's own name.
   */
  | { readonly provider: string | null }
  /** The component's own hosts, or by the value of a field. */
  | { readonly hosts: readonly string[] }
  | { readonly by: string; readonly otherwise: string; readonly hosts: Readonly<Record<string, readonly string[]>> }
  /** The servers that an OpenAPI description names. */
  | { readonly servers: "openapi" };

/**
 * Hints that `.meta()` gives for a setting that refers to something else. Code never guesses this from a setting's
 * name. Source: design, "Declared, not guessed".
 */
export type ReferenceHints = {
  /** Kind of thing that the text refers to; for a list, each of its texts. */
  ref?: ReferenceKind;
  /** For a list: if empty, it refers to everything of its kind. */
  emptyNamesAll?: boolean;
  /**
   * For a credential: its destinations. The first applicable entry counts; an empty list means that it is never sent,
   * such as a secret that only verifies or signs.
   */
  goesTo?: readonly Destination[];
  /** Settings of a component of this kind, whose name is in the field `named` beside them. */
  settingsOf?: { readonly kind: ComponentKind; readonly named: string };
};

/** Hints for a model's credential: it goes to the address beside it, or else to its provider. */
export const credentialOfModel = {
  ref: "credential",
  goesTo: [{ address: "baseUrl" }, { provider: "provider" }],
} as const satisfies ReferenceHints;
