import { providers } from "@weft/providers";

/** `docs/model-providers.md`: what the definitions of the providers say. */
export function toProviderTable(): string {
  const rows = providers.map(
    ({ name, title, chat, embeddings, rerank, speech, voice, account, hosts, credentialTypes }) => {
      const { keyVariables = [], address } = account ?? {};
      return [
        `\`${name}\``,
        title,
        [
          chat && "chat",
          embeddings && "embeddings",
          rerank && "rerank",
          speech && "speech-to-text",
          voice && "text-to-speech",
        ]
          .filter(Boolean)
          .join(", "),
        listOf(address === undefined ? keyVariables : [...keyVariables, address.variable]),
        listOf(hosts),
        listOf(credentialTypes.filter(({ isOffered }) => !isOffered).map((type) => type.name)),
      ];
    },
  );
  const header = ["name in flows", "vendor", "models", "variables", "hosts", "also read: credentials of type"];
  const lines = [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return `${introduction}\n${lines.join("\n")}\n`;
}

function listOf(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

const introduction = `# Model providers

Generated from the definitions in \`packages/providers/src\` by \`./weft providers\`.

A key that an operator sets as a variable is sent only to the hosts of its vendor, or to the address that a variable sets in their place. Where a flow names no model, the first provider in this table with a variable answers, unless \`DEFAULT_MODEL\` or the model chosen under Models says otherwise. A credential may be sent to the hosts of its provider and to the hosts on its own list.
`;
