import { literal, type NamedOperation, operation, textIn, type Value } from "./values.ts";

/** Functions that every program has. */
export function wellKnown(name: string, [first, second]: readonly Value[]): Value | undefined {
  if (!first) return name === "Date" ? now : undefined;
  switch (name) {
    case "str":
    case "String":
      return operationOn("text", first);
    case "int":
    case "float":
    case "Number":
    case "parseInt":
    case "parseFloat":
      return operationOn("number", first);
    case "bool":
    case "Boolean":
      return operationOn("truth", first);
    case "len":
    case "size":
      return operationOn("length", first);
    case "dedent":
    case "cleandoc":
      return withoutIndent(first);
    case "prompt_with_handoff_instructions":
    case "promptWithHandoffInstructions":
      return first;
    case "Response":
    case "NextResponse":
    case "JSONResponse":
    case "JsonResponse":
    case "PlainTextResponse":
    case "jsonify":
      return bodyOf(first);
    case "list":
    case "cast":
      return name === "cast" ? (second ?? first) : first;
    default:
      return undefined;
  }
}

/** What a web server answers with: the text of an object stands for the object. */
function bodyOf(value: Value): Value {
  const [written] = value.kind === "operation" && value.operator === "text" ? value.args : [];
  return written ?? value;
}

const now: Value = { kind: "path", path: "current_date_time", schema: { type: "string" } };

/** A text without the spaces that all of its lines begin with. */
function withoutIndent(value: Value): Value {
  const lines = textIn(value)?.split("\n");
  if (!lines) return value;
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const least = Math.min(...indents, 200);
  return literal(lines.map((line) => line.slice(Math.min(least, Math.max(line.search(/\S|$/), 0)))).join("\n"));
}

function operationOn(operator: NamedOperation | "truth", value: Value): Value {
  if (operator === "text" && (value.kind === "path" || value.kind === "run")) return asText(value);
  return value.kind === "plumbing" ? value : operation(operator, value);
}

/** The answer of a run as text, where the value is all of it. */
function asText(value: Value): Value {
  if (value.kind === "run") return value.text;
  const whole = value.kind === "path" ? /^([\w-]+)\.output\.json$/.exec(value.path)?.[1] : undefined;
  return whole === undefined ? operation("text", value) : { kind: "path", path: whole, schema: { type: "string" } };
}

/** Functions of a module that every program has. */
export function staticCall(dotted: string, args: readonly Value[]): Value | undefined {
  const [first, second] = args;
  if (dotted === "JSON.stringify" || dotted === "json.dumps") return first && asText(first);
  if (dotted === "JSON.parse" || dotted === "json.loads") return first && operation("parse", first);
  const passed = passedOn(dotted, args);
  if (passed) return passed;
  if (/^(datetime\.)*(datetime|date)\.(now|utcnow|today)$|^Date\.now$/.test(dotted)) return now;
  if (/^(textwrap|inspect)\.(dedent|cleandoc)$/.test(dotted)) return first && withoutIndent(first);
  if (/^(process\.env|os\.environ)\.get$|^os\.getenv$/.test(dotted)) {
    const name = textIn(first);
    if (name === undefined) return undefined;
    const environment: Value = { kind: "environment", name };
    return second ? operation("or", environment, second) : environment;
  }
  return undefined;
}

const mathOperations: Readonly<Record<string, NamedOperation>> = {
  "Math.round": "round",
  "Math.floor": "floor",
  "Math.ceil": "ceil",
  "Math.abs": "abs",
  "Math.min": "least",
  "Math.max": "most",
};

function mathCall(dotted: string, args: readonly Value[]): Value | undefined {
  const operator = Object.hasOwn(mathOperations, dotted) ? mathOperations[dotted] : undefined;
  const takes = operator === "least" || operator === "most" ? 2 : 1;
  return operator && args.length === takes ? operation(operator, ...args) : undefined;
}

/** How web servers answer: `Response.json(x)`, `res.send(x)`. */
const responseCalls = /^((Next)?Response|res|response|reply|ctx|c)\.(json|send)$/;

/** Calls that give back what they are given, in another form. */
function passedOn(dotted: string, args: readonly Value[]): Value | undefined {
  const [first] = args;
  if (dotted === "asyncio.run" || dotted === "Promise.all") return first;
  if (first && responseCalls.test(dotted)) return bodyOf(first);
  if (dotted === "asyncio.gather") return { kind: "list", items: [...args] };
  const [nodeId] = first?.kind === "messages" ? first.of : [];
  const isText = nodeId !== undefined && /(^|\.)ItemHelpers\.text_message_outputs?$/.test(dotted);
  return isText ? { kind: "path", path: nodeId, schema: { type: "string" } } : mathCall(dotted, args);
}

/** Methods by what they do; their object comes first. */
const methods: Readonly<Record<string, NamedOperation>> = {
  trim: "trim",
  strip: "trim",
  toLowerCase: "lower",
  lower: "lower",
  toUpperCase: "upper",
  upper: "upper",
  startsWith: "starts-with",
  startswith: "starts-with",
  endsWith: "ends-with",
  endswith: "ends-with",
  split: "split",
  join: "join",
  indexOf: "index-of",
  substring: "substring",
  toFixed: "fixed",
  replaceAll: "replace",
  replace: "replace",
};

/** Methods of a value. Undefined for one that is not known. */
export function method(object: Value, name: string, args: readonly Value[]): Value | undefined {
  const [first] = args;
  if (object.kind === "messages") return object;
  if (object.kind === "run") return methodOfRun(object, name, first);
  if (/^(json|model_dump_json|toString)$/.test(name)) return asText(object);
  if (/^(model_dump|dict|copy|map|filter|slice)$/.test(name)) return object.kind === "operation" ? undefined : object;
  if (object === now && /^(to\w+String|isoformat|strftime|format|date)$/.test(name)) return now;
  const known = first && methodWith(object, name, first);
  if (known) return known;
  if (name === "join" && object.kind === "list") return joined(object.items, textIn(first) ?? ",");
  const operator = Object.hasOwn(methods, name) ? methods[name] : undefined;
  return operator && folded(operator, object, args);
}

/** Methods whose object is not the first of what they work on. */
function methodWith(object: Value, name: string, first: Value): Value | undefined {
  if (name === "includes") return operation("within", first, object);
  if (name === "test" && object.kind === "pattern") return operation("matches", object, first);
  if (name === "exec" && object.kind === "pattern") return operation("match", first, object);
  if (name === "match" && first.kind === "pattern") return operation("match", object, first);
  // Python joins with the separator as the object.
  const separator = name === "join" ? textIn(object) : undefined;
  if (separator === undefined) return undefined;
  return first.kind === "list" ? joined(first.items, separator) : operation("join", first, object);
}

/** Items one after the other, as one text. */
function joined(items: readonly Value[], separator: string): Value {
  const parts = items.flatMap((item, index) => (index === 0 ? [item] : [separator, item]));
  const texts = parts.map((part) => (typeof part === "string" ? part : textIn(part)));
  if (texts.every((text) => text !== undefined)) return literal(texts.join(""));
  return { kind: "text", parts: parts.map((part, index) => texts[index] ?? part) };
}

/** What an operation on a text of the program gives is known at once. */
function folded(operator: NamedOperation, object: Value, args: readonly Value[]): Value {
  const text = textIn(object);
  if (text !== undefined && operator === "trim") return literal(text.trim());
  if (text !== undefined && operator === "lower") return literal(text.toLowerCase());
  if (text !== undefined && operator === "upper") return literal(text.toUpperCase());
  const parts = object.kind === "text" && operator === "trim" ? object.parts : undefined;
  if (!parts) return operation(operator, object, ...args);
  const last = parts.length - 1;
  const trimmed = parts.map((part, index) => {
    if (typeof part !== "string") return part;
    const begun = index === 0 ? part.trimStart() : part;
    return index === last ? begun.trimEnd() : begun;
  });
  return { kind: "text", parts: trimmed };
}

function methodOfRun(run: Value & { kind: "run" }, name: string, type: Value | undefined): Value | undefined {
  if (name === "final_output_as") return type?.kind === "class" ? run.data : run.text;
  const isList = /^(to_input_list|toInputList|stream_events|toTextStream|toStream)$/.test(name);
  return isList ? { kind: "messages", of: run.nodeIds } : undefined;
}
