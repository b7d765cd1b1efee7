// Questions to the server. An answer is a stream of events, the last of which is `done` or `error`;
// to cancel a question is to stop listening.
import type { Bar } from '../charts/histogram';

export interface StudioError {
  message: string;
  hint: string;
  file?: string;
  line?: number;
  column?: number;
  limit?: boolean;
}

export class Refused extends Error {
  constructor(readonly error: StudioError) {
    super(error.message);
  }
}

/** Nobody answers any more. */
export class Gone extends Error {}

export type Listener = (event: string, data: never) => void;

/** One block of a stream of events: "event: NAME", then "data: JSON". */
export function parseEvent(block: string): [string, unknown] | undefined {
  let name = '';
  let data = '';
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) name = line.slice(7);
    else if (line.startsWith('data: ')) data = line.slice(6);
  }
  return name && data ? [name, JSON.parse(data)] : undefined;
}

async function reached(request: Promise<Response>): Promise<Response> {
  try {
    return await request;
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    throw new Gone('the server does not answer');
  }
}

/** Tells the listener of every event but the last; throws Refused, Gone, or what an abort throws. */
export async function ask(
  what: string,
  question: object,
  listener: Listener,
  signal?: AbortSignal,
): Promise<void> {
  const response = await reached(
    fetch(`api/${what}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(question),
      signal,
    }),
  );
  if (response.status === 413)
    throw new Refused({ message: 'this is too large for studio', hint: '' });
  if (response.status === 503)
    throw new Refused({ message: 'studio is busy with other questions', hint: 'try again' });
  if (!response.ok || !response.body) throw new Gone(`the server answers ${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read().catch((error: Error) => {
      if (error.name === 'AbortError') throw error;
      throw new Gone('the server has gone away');
    });
    if (done) throw new Gone('the answer is cut off');
    text += value;
    // Long events come in many pieces; only the last block can be unfinished.
    if (!value.includes('\n')) continue;
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks) {
      const event = parseEvent(block);
      if (!event) continue;
      if (event[0] === 'done') return;
      if (event[0] === 'error') throw new Refused(event[1] as StudioError);
      listener(event[0], event[1] as never);
    }
  }
}

/** The same for an answer of which one event counts. */
export async function askFor<Data>(
  what: string,
  question: object,
  wanted: string,
  signal?: AbortSignal,
  progress?: (data: Progress) => void,
): Promise<Data> {
  let answer: Data | undefined;
  await ask(
    what,
    question,
    (event, data) => {
      if (event === wanted) answer = data;
      else if (event === 'progress') progress?.(data);
    },
    signal,
  );
  if (answer === undefined) throw new Gone('the answer is empty');
  return answer;
}

export interface Progress {
  phase: string;
  states: number;
  iterations: number;
  lower_bound: number | null;
  upper_bound: number | null;
}

export interface ModelFile {
  name: string;
  text: string;
}

export interface Cost {
  name: string;
  label: string;
  bound: number | null; // as the text has it
}

export interface Model {
  id: string;
  title: string;
  costs: Cost[]; // the first one is minimised
  warnings: string[];
  files: ModelFile[];
}

export interface Hello {
  version: string;
  models: { id: string; title: string }[];
  examples: { name: string; about: string }[];
}

export interface Runs {
  runs: number;
  wanted: number;
  cut_off: number;
  given_up: number;
  within_all: number;
  costs: {
    cost: string;
    exact: number;
    mean: number;
    half_width: number;
    median: number;
    p95: number;
    greatest: number;
    bars: Bar[];
    bound?: number;
    exceeds?: number; // share of the runs
  }[];
}

export interface Trace {
  run: number;
  start: string;
  end: 'goal' | 'given-up' | 'cut-off';
  steps: {
    state: string;
    action: string;
    action_probability: number;
    outcome_probability: number;
    successor: string;
    costs: number[]; // so far
  }[];
}

export async function hello(): Promise<Hello> {
  const response = await reached(fetch('api/hello'));
  if (!response.ok) throw new Gone(`the server answers ${response.status}`);
  return (await response.json()) as Hello;
}
