/** What a setting can refer to, by id or by name. An `address` is a URL or a host, and refers to nothing stored. */
export const referenceKinds = [
  ...(["credential", "agent", "document-store", "tool", "mcp-server"] as const),
  ...(["variable", "model", "file", "address"] as const),
] as const;
export type ReferenceKind = (typeof referenceKinds)[number];

/** Registries whose entries have settings of their own. */
export type ComponentKind = "tool" | "loader" | "embedding" | "vector-store";

/** Where a credential is sent. Fields are those beside the credential, by name. */
export type Destination =
  /** A field with an address; `port` where the address names none, whatever its scheme's own is. */
  | { readonly address: string; readonly port?: number }
  /** Fields with the host and the port of a database; `ports`: its usual one, or those of the systems that `system` names. */
  | { readonly host: string; readonly port: string; readonly usual: number }
  | {
      readonly host: string;
      readonly port: string;
      readonly system: string;
      readonly otherwise: string;
      readonly usual: Readonly<Record<string, number>>;
    }
  /** A field with the name of a provider, whose hosts these are; without one, or without a value there, the component's own name. */
  | { readonly provider: string | null }
  /** The component's own hosts, or by the value of a field. */
  | { readonly hosts: readonly string[] }
  | { readonly by: string; readonly otherwise: string; readonly hosts: Readonly<Record<string, readonly string[]>> }
  /** The servers that an OpenAPI description names. */
  | { readonly servers: "openapi" };

/**
 * What `.meta()` says of a setting that stands for something else. No code tells by its name what a setting is.
 * Source: design, "Declared, not guessed".
 */
export type ReferenceHints = {
  /** What the text names; of a list, what each of its texts names. */
  ref?: ReferenceKind;
  /** Of a list: without entries it names everything of its kind. */
  emptyNamesAll?: boolean;
  /**
   * Of a credential: where it is sent. The first entry that says something counts, and none means that it is never sent, as
   * with a secret that only checks or signs.
   */
  goesTo?: readonly Destination[];
  /** The settings are those of a component of this kind, which a field beside them names: `named`. */
  settingsOf?: { readonly kind: ComponentKind; readonly named: string };
};

/** The hints of a credential of a model: it goes to the address beside it, or else to its provider. */
export const credentialOfModel = {
  ref: "credential",
  goesTo: [{ address: "baseUrl" }, { provider: "provider" }],
} as const satisfies ReferenceHints;
