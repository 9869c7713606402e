import type { Entry } from "./proof.ts";

/** What the reference says of integrations, the event API, authentication and errors. */
export const integrationStatements: Readonly<Record<string, readonly Entry[]>> = {
  "Request integrations": [
    [
      "GET: URL, Name, Description, Headers, request-parameter schema",
      "here",
      "the request integrations have the settings of the reference",
    ],
    [
      "POST and PUT: URL, Name, Description, Headers, Body, body schema",
      "here",
      "the request integrations have the settings of the reference",
    ],
    [
      "DELETE: URL, Name, Description, Headers, request-parameter schema",
      "here",
      "the request integrations have the settings of the reference",
    ],
    [
      "Body is fixed and overrides the generated body",
      "write",
      "the fixed body overrides what the model generated, key by key, and is not asked of the model",
    ],
    [
      "A request parameter has type, in (path, query), required, description",
      "get",
      "shows the model flat arguments and calls the collection, one item, or with a limit",
    ],
    ["A body entry has type, required, description", "write", "typed body values are kept"],
    [
      "The event API's integrations are get_events, create_event, update_event and delete_event",
      "demo",
      "does the five typical requests with an OpenAI-compatible model",
    ],
    [
      "Schemas are JSON objects keyed by parameter name: path parameter id, and for GET the query parameter limit",
      "demo",
      "does the five typical requests with an OpenAI-compatible model",
    ],
    ["required is optional", "get", "required and unknown arguments are refused in words before the call"],
    [
      "Headers are optional and sent",
      "get",
      "headers, as object or JSON text, and the credential are sent; line breaks are refused",
    ],
    [
      "The agent chooses the integration, fills its parameters with the model, and calls",
      "demo",
      "does the five typical requests with an OpenAI-compatible model",
    ],
    ["List and fetch: GET /events and /events/{id}", "demo", "does the five typical requests with the rehearsal model"],
    [
      "Create: POST /events with name, date, location",
      "demo",
      "does the five typical requests with the rehearsal model",
    ],
    ["Update: PUT or PATCH with name, date, location", "write", "PUT and PATCH address one item through the schema"],
    ["Delete: DELETE /events/{id}", "demo", "does the five typical requests with the rehearsal model"],
  ],
  "OpenAPI toolkit": [
    [
      "YAML File: each operation becomes an integration",
      "toolkit",
      "the event API's own description makes its five operations work",
    ],
    [
      "Return Direct returns the API's answer itself",
      "toolkit",
      "return direct marks good answers only; nulls are removed on request",
    ],
    ["Headers are sent", "here", "the OpenAPI toolkit has the settings of the reference, and sends its headers"],
    ["Remove null parameters", "toolkit", "return direct marks good answers only; nulls are removed on request"],
    ["Custom Code customises the answer", "toolkit", "custom code makes the call in the sandbox"],
  ],
  "Reference event API": [
    ["Listens on PORT, default 5566", "eventsProcess", "prints its address, serves, and ends on SIGTERM"],
    ["GET /events: 200, array; limit is not applied", "events", "ignores the query, limit too, and a trailing slash"],
    ["POST /events: 201, the event", "events", "makes an id when none is supplied and keeps only the four fields"],
    ["GET /events/{id}: 200 or 404 Event not found", "events", "does not find other ids"],
    ["PATCH /events/{id}: 200, the id is kept", "events", "replaces the three fields and keeps the id"],
    ["DELETE /events/{id}: 204 without a body, then 404", "events", "answers 204 without a body, then 404"],
    [
      "1. The id is the body's when supplied, else a uuid; only four fields are kept",
      "events",
      "makes an id when none is supplied and keeps only the four fields",
    ],
    ["1. … a supplied id", "events", "takes a supplied id, whatever its characters"],
    [
      "1. … of any kind",
      "events",
      "counts an empty or unusable id as none",
      "An empty id, and one that is neither text nor a number, counts as not supplied: nothing could ask for it.",
    ],
    [
      "1. … that exists",
      "events",
      "keeps ids unique: a supplied id that exists takes its place",
      "The new event takes the other's place: the id is honoured and stays unique.",
    ],
    [
      "2. Missing or empty fields are reported, then the date is checked",
      "events",
      `refuses \${title} on create and on update`,
    ],
    ["2. The date is YYYY-MM-DDTHH:mm:ss, with .sss and Z optional", "events", `accepts \${date} and keeps it as sent`],
    ["3. PATCH looks the event up before it validates", "events", "looks the event up before it reads the body"],
    ["4. Other paths and methods are 404 Endpoint not found", "events", `answers \${method} \${path} with 404`],
    ["4. Unexpected failures are 500 Something went wrong!", "events", "answers malformed JSON with 500"],
    [
      "Its OpenAPI description is 3.0.0, version 1.0.0, with five named operations",
      "events",
      "describes itself in an OpenAPI 3.0.0 document",
    ],
    ["Event.id, name, date and location are texts", "events", "starts with five whole events"],
    ["It declares the server {event_api_base_url}", "events", "describes itself in an OpenAPI 3.0.0 document"],
    ["It has no authentication", "events", "starts with five whole events"],
  ],
  Authentication: [
    ["1. Authorization: Bearer <JWT>", "accounts", "forged, foreign and broken bearers are 401"],
    [
      "1. … and no other bearer",
      "predictions",
      "needs the agent's own key where one is bound",
      "An API key may stand in the JWT's place, with the permissions that it has.",
    ],
    [
      "6. Integrations may add custom headers",
      "get",
      "headers, as object or JSON text, and the credential are sent; line breaks are refused",
    ],
    ["2. GET /ping needs none", "health", "ping is plain text and open, version is not"],
    [
      "3. A prediction may need the flow's API key; a wrong one is 401",
      "predictions",
      "needs the agent's own key where one is bound",
    ],
  ],
  Errors: [
    ["200 for creates and deletes", "here", "every delete of the reference answers 200 without a body"],
    ["400 for invalid ids, parameters and bodies", "http", "a malformed id is 400 and says which"],
    ["401 on prediction for a wrong API key", "predictions", "needs the agent's own key where one is bound"],
    ["404 for what is not found", "agents", "malformed ids are 400, unknown ones 404, in every operation on one agent"],
    ["413 for a prediction beyond the size limit", "predictions", "answers the statuses of its row for bad requests"],
    ["422 for validation errors", "agents", "a create that does not fit is 422 and says where; nothing is stored"],
    [
      "500 on prediction for errors of the flow",
      "predictions",
      "refuses a flow that cannot run, before anything is written",
    ],
    ["Event API errors are { error }", "events", "does not find other ids"],
  ],
};
