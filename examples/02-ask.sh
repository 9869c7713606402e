#!/usr/bin/env bash
# Asks a demonstration agent twice in one chat, and reads the chat and the steps of the last run.
set -euo pipefail
cd "$(dirname "$0")" && source ./settings.sh

AGENT=$(get chatflows | node -p 'JSON.parse(require("fs").readFileSync(0)).find(({ name }) => name.includes("OpenAPI")).id')
CHAT="example-$(date +%s)"

ask() { post "prediction/$AGENT" "$(json question="$1" chatId="$CHAT")"; }
ANSWER=$(ask "List all events")
echo "$ANSWER" | field text
expect "$ANSWER" executionId

# The chat is remembered: “it” is what was spoken of before.
ask 'Create an event named "Launch party" on 2026-12-01T18:00:00Z in Berlin' | field text
RUN=$(ask "List all events" | field executionId)

echo "The chat has $(get "chatmessage/$AGENT?chatId=$CHAT" | field length) messages."
echo "The last run is $(get "executions/$RUN" | field state): $WEFT_URL/api/v1/executions/$RUN"
