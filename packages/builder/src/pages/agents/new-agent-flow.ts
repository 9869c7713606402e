/** What a new agent begins with: a model that answers. It can be tried as it is. */
export const newAgentFlow = JSON.stringify({
  weft: 1,
  nodes: [
    { id: "start_0", type: "start", version: 1, label: "Start", position: { x: 0, y: 0 }, config: {} },
    { id: "agent_0", type: "agent", version: 1, label: "Agent", position: { x: 280, y: 0 }, config: {} },
  ],
  edges: [{ id: "start_0-agent_0", source: "start_0", sourcePort: "out", target: "agent_0" }],
});
