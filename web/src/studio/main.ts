// The studio: opens a problem, and says so if nobody answers any more.
import { h } from '../dom';
import { themeButton } from '../theme';
import {
  askFor,
  Gone,
  hello,
  Refused,
  type Hello,
  type Model,
  type ModelFile,
  type StudioError,
} from './api';
import { acceptDrops, chooser, type ChooserWishes } from './chooser';
import { fromHash, toHash, type Bounds } from './settings';
import { Workbench, writtenBounds, type Surroundings } from './workbench';

const banner = h('div', { class: 'banner', role: 'alert' });
banner.hidden = true;
const main = h('main', { class: 'studio' });
const title = h('h1', { class: 'problem' });
const undoButton = h(
  'button',
  { type: 'button', id: 'undo', title: 'Undo (Ctrl-Z)', 'aria-label': 'Undo' },
  '↶',
);
const redoButton = h(
  'button',
  { type: 'button', id: 'redo', title: 'Redo (Ctrl-Shift-Z)', 'aria-label': 'Redo' },
  '↷',
);
const openButton = h('button', { type: 'button', id: 'open' }, 'Open…');
const dialog = h('dialog', { 'aria-label': 'Open a problem' });

let greeting: Hello;
let workbench: Workbench | undefined;

function say(message: string, kind: 'gone' | 'trouble' = 'trouble'): void {
  banner.className = `banner ${kind}`;
  banner.replaceChildren(
    h('span', {}, message),
    kind === 'gone'
      ? null!
      : h('button', { type: 'button', onclick: () => (banner.hidden = true) }, 'Close'),
  );
  banner.hidden = false;
}

function gone(): void {
  say(
    'The carl program behind this page has ended. Start “carl studio” again and open the address that it prints; your settings are in the part of this address after #.',
    'gone',
  );
}

const surroundings: Surroundings = {
  solveText: (files, like, complain) => void open({ files, like }, complain),
  gone,
  remember: (model, bounds, { canUndo, canRedo }) => {
    history.replaceState(null, '', toHash(model, bounds));
    undoButton.disabled = !canUndo;
    redoButton.disabled = !canRedo;
  },
};

// --- opening ------------------------------------------------------------------------------------

let opening: AbortController | undefined;

/** Takes the place of what is shown once it has been read. */
async function open(
  question: { example: string } | { files: ModelFile[]; like?: string } | { model: string },
  complain: (error: StudioError) => void,
  bounds: Bounds = {},
): Promise<boolean> {
  opening?.abort();
  const abort = new AbortController();
  opening = abort;
  document.body.classList.add('reading');
  try {
    const what = 'model' in question ? 'model' : 'open';
    const model = await askFor<Model>(what, question, 'model', abort.signal);
    const written = writtenBounds(model);
    const known = Object.fromEntries(Object.entries(bounds).filter(([name]) => name in written));
    workbench?.close();
    workbench = new Workbench(model, { ...written, ...known }, surroundings);
    title.textContent = model.title;
    document.title = `${model.title} – carl studio`;
    main.replaceChildren(workbench.element);
    dialog.close();
    banner.hidden = true;
    return true;
  } catch (error) {
    if (error instanceof Refused) complain(error.error);
    else if (error instanceof Gone) gone();
    return false;
  } finally {
    if (opening === abort) document.body.classList.remove('reading');
  }
}

const trouble = ({ message, hint, file, line }: StudioError) =>
  say(
    `${file ? `${file.split('/').at(-1)}${line ? `, line ${line}` : ''}: ` : ''}${message}${hint ? ` (${hint})` : ''}`,
  );

const wishes: ChooserWishes = {
  example: (example) => void open({ example }, trouble),
  files: (files) => void open({ files }, trouble),
  model: (model) => void open({ model }, trouble),
  complain: (message) => say(message),
};

function header(): HTMLElement {
  undoButton.addEventListener('click', () => workbench?.undo());
  redoButton.addEventListener('click', () => workbench?.redo());
  undoButton.disabled = redoButton.disabled = true;
  openButton.addEventListener('click', () => {
    hello().then((now) => {
      dialog.replaceChildren(
        h(
          'div',
          { class: 'row' },
          h('h2', {}, 'Open a problem'),
          h('button', { type: 'button', onclick: () => dialog.close() }, 'Close'),
        ),
        chooser(now, wishes, 'h3'),
      );
      dialog.showModal();
    }, gone);
  });
  return h(
    'header',
    {},
    h(
      'div',
      { class: 'brand' },
      h('span', { class: 'mark', 'aria-hidden': 'true' }, 'λ'),
      'carl studio',
    ),
    title,
    h('div', { class: 'buttons' }, undoButton, redoButton, openButton, themeButton()),
  );
}

function keys(): void {
  addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    // An editor and a text field have an undo of their own.
    const target = event.composedPath()[0] as Element;
    if (target.closest?.('input[type=text], input[type=search], [contenteditable], .cm-content'))
      return;
    const key = event.key.toLowerCase();
    if (key === 'z' && !event.shiftKey) workbench?.undo();
    else if (key === 'y' || (key === 'z' && event.shiftKey)) workbench?.redo();
    else return;
    event.preventDefault();
  });
}

/** A page that is left open should know when nobody answers any more. */
function watch(): void {
  setInterval(() => {
    if (!document.hidden)
      hello().then(() => banner.classList.contains('gone') && (banner.hidden = true), gone);
  }, 5000);
}

async function start(): Promise<void> {
  document.body.append(header(), banner, main, dialog);
  keys();
  acceptDrops(wishes);
  try {
    greeting = await hello();
  } catch {
    gone();
    return;
  }
  watch();
  const { model, bounds } = fromHash(location.hash);
  title.textContent = 'Move a budget and see the plan change';
  const wanted = greeting.models.find(({ id }) => id === model) ?? greeting.models[0];
  if (
    wanted &&
    (await open({ model: wanted.id }, trouble, wanted.id === model || !model ? bounds : {}))
  )
    return;
  main.replaceChildren(
    h(
      'section',
      { class: 'home' },
      h(
        'p',
        { class: 'lead' },
        'carl finds the best plan under uncertainty within budgets that hold on average. Open a problem of yours, or begin with an example.',
      ),
      chooser(greeting, wishes, 'h2'),
    ),
  );
}

void start();
