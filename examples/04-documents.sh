#!/usr/bin/env bash
# Uploads three documents, searches them, and asks an agent that reads them. Embeds inside the server: no key, no network.
set -euo pipefail
cd "$(dirname "$0")" && source ./settings.sh

STORE=$(post document-store/store '{"name": "Handbook of the example"}' | field id)
curl -sS --fail-with-body "$WEFT_URL/api/v1/document-store/upsert/$STORE" -H "Authorization: Bearer $WEFT_TOKEN" \
  -F files=@../docs/handbook/returns.md -F files=@../docs/handbook/delivery.md -F files=@../docs/handbook/warranty.pdf |
  field numAdded | sed 's/$/ passages added./'

FOUND=$(post document-store/vectorstore/query "$(json storeId="$STORE" query="How many days until a bike arrives?")")
expect "$FOUND" delivery.md
echo "The search found delivery.md."

FLOW='{"weft": 1,
  "nodes": [
    {"id": "start", "type": "start"},
    {"id": "agent", "type": "agent", "config": {"knowledge": [
      {"storeId": "'$STORE'", "name": "handbook", "description": "Searches the handbook", "topK": 1}]}}],
  "edges": [{"id": "e", "source": "start", "target": "agent"}]}'
AGENT=$(post chatflows "$(json name="Librarian of the example" flowData="$FLOW")" | field id)

ANSWER=$(post "prediction/$AGENT" '{"question": "Search the handbook: how long is a battery covered?"}')
echo "$ANSWER" | field text
expect "$(echo "$ANSWER" | field sourceDocuments)" warranty.pdf
echo "The answer names its source, warranty.pdf."
