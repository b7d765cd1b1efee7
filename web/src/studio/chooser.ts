// What to open: files, dropped or chosen, and examples.
import { h } from '../dom';
import type { Hello, ModelFile } from './api';

export interface ChooserWishes {
  example: (name: string) => void;
  files: (files: ModelFile[]) => void;
  model: (id: string) => void;
  complain: (message: string) => void;
}

const most = 4; // files
const largest = 6e6; // bytes

export async function readFiles(list: FileList | File[]): Promise<ModelFile[]> {
  const files = [...list];
  if (files.length > most) throw new Error(`a problem has at most ${most} files`);
  if (files.reduce((sum, { size }) => sum + size, 0) > largest) throw new Error('these files are too large for studio');
  return Promise.all(files.map(async (file) => ({ name: file.name, text: await file.text() })));
}

export function chooser(hello: Hello, wishes: ChooserWishes): HTMLElement {
  const input = h('input', { type: 'file', multiple: true, id: 'files', accept: '.pddl,.ppddl,.json,.txt', class: 'unseen', tabindex: -1, 'aria-hidden': 'true' });
  const take = async (list: FileList | null) => {
    if (!list?.length) return;
    try {
      wishes.files(await readFiles(list));
    } catch (error) {
      wishes.complain((error as Error).message);
    }
    input.value = '';
  };
  input.addEventListener('change', () => void take(input.files));
  const item = (title: string, about: string, act: () => void) =>
    h('li', {}, h('button', { type: 'button', class: 'example', onclick: act }, h('strong', {}, title), h('span', {}, about)));
  return h(
    'div',
    { class: 'chooser' },
    h('div', { class: 'dropzone' },
      h('p', {}, 'Drop a PPDDL domain and problem here, or an explicit model in JSON.'),
      h('button', { type: 'button', onclick: () => input.click() }, 'Choose files…'), input),
    hello.models.length ? h('h3', {}, 'Open now') : null,
    hello.models.length
      ? h('ul', { class: 'examples' }, ...hello.models.map(({ id, title }) => item(title, '', () => wishes.model(id))))
      : null,
    h('h3', {}, 'Examples'),
    h('ul', { class: 'examples' }, ...hello.examples.map(({ name, about }) => item(name, about, () => wishes.example(name)))),
  );
}

/** Files can be dropped anywhere. */
export function acceptDrops(wishes: ChooserWishes): void {
  const over = (on: boolean) => document.body.classList.toggle('dropping', on);
  addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    over(true);
  });
  addEventListener('dragleave', (event) => {
    if (!event.relatedTarget) over(false);
  });
  addEventListener('drop', (event) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    over(false);
    readFiles(event.dataTransfer.files).then(wishes.files, (error: Error) => wishes.complain(error.message));
  });
}
