const at = (x: number, y: number) => ({ position: { x, y } });
const start = { id: "start_0", type: "start", label: "Start", ...at(0, 0) };
const system = (content: string) => ({ messages: [{ role: "system", content }] });

type Edge = { source: string; target: string; sourcePort?: string };

const flowOf = (nodes: object[], edges: Edge[]) =>
  JSON.stringify({ weft: 1, nodes, edges: edges.map((edge, index) => ({ id: `edge_${index}`, ...edge })) });

const scenarios = [
  { id: "refund", description: "The customer wants money back" },
  { id: "delivery", description: "The customer asks where a parcel is" },
];

const triage = flowOf(
  [
    start,
    { id: "sort_0", type: "condition-agent", label: "Sort the question", ...at(344, 0), config: { scenarios } },
    {
      id: "refund_0",
      type: "agent",
      label: "Answer refunds",
      ...at(720, -80),
      config: {
        ...system("You handle refunds."),
        model: { provider: "openai", model: "gpt-4o-mini" },
        tools: [{ type: "calculator", config: {} }],
      },
    },
    {
      id: "delivery_0",
      type: "http",
      label: "Look up the parcel",
      ...at(720, 48),
      config: { url: "https://shop.example.com/parcels" },
    },
    { id: "reply_0", type: "direct-reply", label: "Hand over", ...at(720, 176), config: { message: "One moment…" } },
    { id: "check_0", type: "human-input", label: "Release the payment?", ...at(1096, -80), config: {} },
    {
      id: "note_0",
      type: "sticky-note",
      label: "Note",
      ...at(344, 240),
      config: { text: "Refunds above € 100 are released by a person." },
    },
  ],
  [
    { source: "start_0", target: "sort_0" },
    { source: "sort_0", sourcePort: "refund", target: "refund_0" },
    { source: "sort_0", sourcePort: "delivery", target: "delivery_0" },
    { source: "sort_0", sourcePort: "else", target: "reply_0" },
    { source: "refund_0", target: "check_0" },
  ],
);

const single = (type: string, label: string, config: object) =>
  flowOf([start, { id: "step_0", type, label, ...at(344, 0), config }], [{ source: "start_0", target: "step_0" }]);

const starterPrompts = { 0: { prompt: "I want a refund" }, 1: { prompt: "Where is my parcel?" } };

/** The agents of a small shop, as the API takes them. */
export const demonstrationAgents = [
  {
    name: "Support triage",
    category: "Support;Customers",
    isPublic: true,
    flowData: triage,
    chatbotConfig: JSON.stringify({ starterPrompts, chatFeedback: { status: true } }),
  },
  {
    name: "Order desk",
    category: "Sales",
    flowData: single("agent", "Order agent", {
      ...system("You answer questions about orders."),
      tools: [{ type: "calculator", config: {} }],
    }),
  },
  {
    name: "Invoice approval",
    category: "Finance",
    flowData: single("human-input", "Approve the invoice", { question: "May this invoice be paid?\n\n{{ question }}" }),
  },
  { name: "Release notes", flowData: single("llm", "Write the notes", system("You write release notes.")) },
  {
    name: "Weekly digest of everything that customers wrote to the support team",
    category: "Support",
    flowData: single("llm", "Summarise", system("You summarise.")),
  },
];
