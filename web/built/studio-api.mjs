// web/src/studio/api.ts
var Refused = class extends Error {
  constructor(error) {
    super(error.message);
    this.error = error;
  }
};
var Gone = class extends Error {
};
function parseEvent(block) {
  let name = "";
  let data = "";
  for (const line of block.split("\n")) {
    if (line.startsWith("event: ")) name = line.slice(7);
    else if (line.startsWith("data: ")) data = line.slice(6);
  }
  return name && data ? [name, JSON.parse(data)] : void 0;
}
async function reached(request) {
  try {
    return await request;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Gone("the server does not answer");
  }
}
async function ask(what, question, listener, signal) {
  const response = await reached(
    fetch(`api/${what}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(question),
      signal
    })
  );
  if (response.status === 413)
    throw new Refused({ message: "this is too large for studio", hint: "" });
  if (response.status === 503)
    throw new Refused({ message: "studio is busy with other questions", hint: "try again" });
  if (!response.ok || !response.body) throw new Gone(`the server answers ${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (; ; ) {
    const { value, done } = await reader.read().catch((error) => {
      if (error.name === "AbortError") throw error;
      throw new Gone("the server has gone away");
    });
    if (done) throw new Gone("the answer is cut off");
    text += value;
    if (!value.includes("\n")) continue;
    const blocks = text.split("\n\n");
    text = blocks.pop();
    for (const block of blocks) {
      const event = parseEvent(block);
      if (!event) continue;
      if (event[0] === "done") return;
      if (event[0] === "error") throw new Refused(event[1]);
      listener(event[0], event[1]);
    }
  }
}
async function askFor(what, question, wanted, signal, progress) {
  let answer;
  await ask(
    what,
    question,
    (event, data) => {
      if (event === wanted) answer = data;
      else if (event === "progress") progress?.(data);
    },
    signal
  );
  if (answer === void 0) throw new Gone("the answer is empty");
  return answer;
}
async function hello() {
  const response = await reached(fetch("api/hello"));
  if (!response.ok) throw new Gone(`the server answers ${response.status}`);
  return await response.json();
}
export {
  Gone,
  Refused,
  ask,
  askFor,
  hello,
  parseEvent
};
