# What the shell examples share: where the server is, a token, and JSON from and to the shell by Node alone.
WEFT_URL=${WEFT_URL:-http://localhost:3000}
WEFT_TOKEN=${WEFT_TOKEN:-$(npm run -s token)}

# --fail-with-body: a failed request shows its message and ends the script.
get() { curl -sS --fail-with-body "$WEFT_URL/api/v1/$1" -H "Authorization: Bearer $WEFT_TOKEN"; }
post() { curl -sS --fail-with-body "$WEFT_URL/api/v1/$1" -H "Authorization: Bearer $WEFT_TOKEN" -H 'Content-Type: application/json' -d "$2"; }

# field NAME: that field of the JSON on standard input. Fails where there is none.
field() { node -e 'const value = JSON.parse(require("fs").readFileSync(0))[process.argv[1]]; if (value === undefined) process.exit(1); console.log(typeof value === "string" ? value : JSON.stringify(value))' "$1"; }

# json NAME=TEXT …: an object of texts.
json() { node -p 'JSON.stringify(Object.fromEntries(process.argv.slice(1).map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)])))' "$@"; }

# expect TEXT WHAT: fails unless the text contains the words.
expect() { case "$1" in *"$2"*) ;; *) echo "Expected “$2” in: $1" >&2; exit 1 ;; esac; }
