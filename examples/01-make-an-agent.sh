#!/usr/bin/env bash
# Makes an agent of two steps, start and agent, and publishes it. Prints its id.
set -euo pipefail
cd "$(dirname "$0")" && source ./settings.sh

FLOW='{"weft": 1,
  "nodes": [
    {"id": "start", "type": "start"},
    {"id": "agent", "type": "agent", "config": {
      "messages": [{"role": "system", "content": "You answer in one sentence."}]}}],
  "edges": [{"id": "e", "source": "start", "target": "agent"}]}'

AGENT=$(post chatflows "$(json name="First agent" flowData="$FLOW")" | field id)
get "chatflows/$AGENT" | field name
echo "Made the agent $AGENT. Open it: $WEFT_URL/agents/$AGENT"
