// The model's text. What is wrong with it is underlined where it is; nothing is written anywhere
// unless the reader asks for a copy. The editor lives in a shadow root, where its styles can be
// adopted: the page's policy allows no style elements.
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting, type StreamParser } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { h } from '../dom';
import type { ModelFile, StudioError } from './api';

const words = new Set(
  'define domain problem and or not when forall exists imply probabilistic increase decrease assign minimize maximize expected probability either'.split(' '),
);

const pddl: StreamParser<object> = {
  name: 'pddl',
  startState: () => ({}),
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/;.*/)) return 'comment';
    if (stream.match(/[()]/)) return 'bracket';
    if (stream.match(/:[\w-]+/)) return 'keyword';
    if (stream.match(/\?[\w-]+/)) return 'variableName';
    if (stream.match(/-?\d+(\.\d+)?(\/\d+)?(?=[\s()]|$)/)) return 'number';
    const word = stream.match(/[^\s();]+/);
    if (word) return words.has((word as RegExpMatchArray)[0].toLowerCase()) ? 'operatorKeyword' : null;
    stream.next();
    return null;
  },
};

const json: StreamParser<object> = {
  name: 'json',
  startState: () => ({}),
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/"(?:[^"\\]|\\.)*"(?=\s*:)/)) return 'keyword';
    if (stream.match(/"(?:[^"\\]|\\.)*"?/)) return 'string';
    if (stream.match(/-?\d+(\.\d+)?([eE][+-]?\d+)?/)) return 'number';
    if (stream.match(/true|false|null/)) return 'operatorKeyword';
    stream.next();
    return null;
  },
};

const highlighting = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: tags.keyword, color: 'var(--blue)', fontWeight: '600' },
  { tag: tags.operatorKeyword, color: 'var(--purple)' },
  { tag: tags.variableName, color: 'var(--orange)' },
  { tag: tags.number, color: 'var(--green)' },
  { tag: tags.string, color: 'var(--orange)' },
  { tag: tags.bracket, color: 'var(--muted)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--surface)', fontSize: '13.5px' },
  '.cm-scroller': { fontFamily: 'ui-monospace, "Cascadia Code", "DejaVu Sans Mono", monospace', lineHeight: '1.5' },
  '.cm-gutters': { backgroundColor: 'var(--raised)', color: 'var(--muted)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--blue) 7%, transparent)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--blue-wash) !important' },
  '.cm-matchingBracket': { backgroundColor: 'var(--green-wash)', outline: '1px solid var(--green)' },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--ink)', border: '1px solid var(--line)' },
});

export interface EditorWishes {
  solve: (files: ModelFile[]) => void;
}

export class Editor {
  readonly element: HTMLElement;
  private readonly view: EditorView;
  private readonly language = new Compartment();
  private readonly choice = h('select', { id: 'file', 'aria-label': 'File' });
  private readonly complaint = h('p', { class: 'complaint', role: 'alert' });
  private readonly changes = h('span', { class: 'changes', role: 'status' });
  private files: ModelFile[] = [];
  private original: ModelFile[] = [];
  private current = 0;

  constructor(private readonly wishes: EditorWishes) {
    const host = h('div', { class: 'editor', id: 'editor' });
    const root = host.attachShadow({ mode: 'open' });
    this.view = new EditorView({ parent: root, root, state: this.state('') });
    this.choice.addEventListener('change', () => this.open(Number(this.choice.value)));
    const button = (id: string, text: string, act: () => void) =>
      h('button', { type: 'button', id, onclick: act }, text);
    this.element = h(
      'div',
      { class: 'edit' },
      h(
        'div',
        { class: 'toolbar' },
        this.choice,
        button('solve-text', 'Solve this text', () => this.solve()),
        button('revert', 'Revert', () => this.load(this.original)),
        button('save-as', 'Save as…', () => this.save()),
        this.changes,
      ),
      this.complaint,
      host,
      h('p', { class: 'lead' }, 'Your files stay as they are: “Save as…” gives you a copy. Ctrl-Enter solves.'),
    );
  }

  private state(text: string): EditorState {
    return EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        bracketMatching(),
        lintGutter(),
        syntaxHighlighting(highlighting),
        this.language.of([]),
        theme,
        EditorView.contentAttributes.of({ 'aria-label': 'The text of the model' }),
        keymap.of([{ key: 'Mod-Enter', run: () => (this.solve(), true) }, ...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) this.edited();
        }),
      ],
    });
  }

  load(files: ModelFile[]): void {
    this.original = files.map((file) => ({ ...file }));
    this.files = files.map((file) => ({ ...file }));
    const short = (name: string) => name.split('/').at(-1)!;
    this.choice.replaceChildren(...files.map(({ name }, i) => h('option', { value: i }, short(name))));
    this.complaint.textContent = '';
    this.open(Math.min(this.current, files.length - 1));
  }

  private open(index: number): void {
    this.current = Math.max(0, index);
    this.choice.value = String(this.current);
    const file = this.files[this.current];
    this.view.setState(this.state(file?.text ?? ''));
    const isJson = file ? file.name.endsWith('.json') || /^\s*\{/.test(file.text) : false;
    this.view.dispatch({ effects: this.language.reconfigure(StreamLanguage.define(isJson ? json : pddl)) });
    this.sayChanges();
  }

  private edited(): void {
    this.files[this.current].text = this.view.state.doc.toString();
    this.sayChanges();
  }

  private sayChanges(): void {
    const changed = this.files.some(({ text }, i) => text !== this.original[i]?.text);
    this.changes.textContent = changed ? 'edited, not saved' : '';
  }

  private solve(): void {
    this.complaint.textContent = '';
    this.view.dispatch(setDiagnostics(this.view.state, []));
    this.wishes.solve(this.files.map((file) => ({ ...file })));
  }

  /** Underlines what the error is about, in the file it is in. */
  complain({ message, hint, file, line, column }: StudioError): void {
    const place = line === undefined ? '' : `line ${line}${column ? `, column ${column}` : ''}: `;
    this.complaint.textContent = `${place}${message}${hint ? ` (${hint})` : ''}`;
    const index = this.files.findIndex(({ name }) => name === file);
    if (index >= 0 && index !== this.current) this.open(index);
    if (line === undefined || index < 0) return;
    const { doc } = this.view.state;
    const written = doc.line(Math.min(doc.lines, Math.max(1, line)));
    const from = Math.min(written.to, written.from + Math.max(0, (column ?? 1) - 1));
    const word = /^(?:[^\s()"]+|.)/.exec(doc.sliceString(from, written.to))?.[0].length ?? 0;
    const to = Math.min(written.to, from + Math.max(1, word));
    this.view.dispatch(
      setDiagnostics(this.view.state, [{ from: to > from ? from : written.from, to, severity: 'error', message }]),
      { selection: { anchor: from }, scrollIntoView: true },
    );
  }

  /** A copy for the reader to keep where he likes. */
  private save(): void {
    const file = this.files[this.current];
    const link = h('a', { download: file.name.split('/').at(-1)! });
    link.href = URL.createObjectURL(new Blob([file.text], { type: 'text/plain' }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
}
