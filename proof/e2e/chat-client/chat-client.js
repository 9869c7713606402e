// A chat with an agent of a Weft server, in a page of another origin: `?api=http://127.0.0.1:3000&agent=<id>`.
const { api, agent } = Object.fromEntries(new URLSearchParams(location.search));
const chatId = crypto.randomUUID();
const byId = (id) => document.getElementById(id);
const fieldsOf = (form, submitter) => Object.fromEntries(new FormData(form, submitter));

/** The message that feedback is on, and the feedback that was left. */
const rated = { messageId: undefined, feedbackId: undefined };

onSubmit("ask", async (form) => {
  const { question } = fieldsOf(form);
  form.reset();
  byId("feedback").hidden = true;
  show("question", question);
  await answer(question);
});

onSubmit("feedback", async (form, submitter) => {
  const { rating, content } = fieldsOf(form, submitter);
  const { messageId, feedbackId } = rated;
  const left =
    feedbackId === undefined
      ? await send("POST", "/feedback", { chatflowid: agent, chatId, messageId, rating, content })
      : await send("PUT", `/feedback/${feedbackId}`, { rating, content });
  rated.feedbackId = (await left.json()).id;
  return "Thank you for your feedback.";
});

onSubmit("lead", async (form) => {
  await send("POST", "/leads", { ...fieldsOf(form), chatflowid: agent, chatId });
  return "We will be in touch.";
});

/** Shows what comes of a form: the words of `handle`, or of its error. */
function onSubmit(id, handle) {
  byId(id).addEventListener("submit", async (event) => {
    event.preventDefault();
    byId("status").textContent = "";
    try {
      byId("status").textContent = (await handle(event.target, event.submitter)) ?? "";
    } catch (error) {
      byId("status").textContent = error.message;
    }
  });
}

function show(kind, text) {
  const item = document.createElement("li");
  item.className = kind;
  item.textContent = text;
  byId("messages").append(item);
  return item;
}

/** Sends a message and writes the answer as it comes. A stream that breaks is taken up where it was. */
async function answer(question) {
  let response = await send("POST", `/prediction/${agent}`, { question, chatId, streaming: true });
  const item = show("answer", "");
  const stream = { lastId: "", isOver: false };
  for (let reconnects = 0; ; reconnects += 1) {
    item.dataset.reconnects = String(reconnects);
    await follow(response, item, stream);
    if (stream.isOver) break;
    const [executionId] = stream.lastId.split(":");
    response = await send("GET", `/executions/${executionId}/events`, undefined, { "Last-Event-ID": stream.lastId });
  }
  item.dataset.state = "finished";
  byId("feedback").hidden = false;
}

/** Writes what comes until the end, or until the connection breaks. */
async function follow(response, item, stream) {
  try {
    for await (const { id, event, data } of readFrames(response)) {
      stream.lastId = id;
      stream.isOver = event === "end";
      handlers[event]?.(item, data);
    }
  } catch (error) {
    // A stream rejects with a TypeError when its connection is gone.
    if (!(error instanceof TypeError)) throw error;
  }
}

const handlers = {
  token(item, text) {
    item.textContent += text;
  },
  restart(item) {
    item.textContent = "";
  },
  metadata(_, { chatMessageId: messageId }) {
    Object.assign(rated, { messageId, feedbackId: undefined });
  },
  error(_, message) {
    throw new Error(message);
  },
};

/** The frames of a stream: each has an id and one line of JSON. */
async function* readFrames(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ; ) {
    const { value, done } = await reader.read();
    if (done) return;
    const frames = (rest + value).split("\n\n");
    rest = frames.pop();
    for (const frame of frames) {
      const [, id] = /^id:(.*)$/m.exec(frame) ?? [];
      const [, data] = /^data:(.*)$/m.exec(frame) ?? [];
      if (data !== undefined) yield { id, ...JSON.parse(data) };
    }
  }
}

/** Rejects with the server's words, or says that there were none. */
async function send(method, path, body, headers = {}) {
  const init = { method, headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body) };
  const response = await fetch(`${api}/api/v1${path}`, init).catch((cause) => {
    throw new Error("The browser kept the answer from this page, or there was none.", { cause });
  });
  if (response.ok) return response;
  const { message } = await response.json();
  const wait = response.headers.get("Retry-After");
  throw new Error(wait === null ? message : `${message} (${wait} s)`);
}
