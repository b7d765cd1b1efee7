// The tools above the picture: search, filters, colours. They only say what the reader wants; the
// view does it.
import { h, hasKeyboard } from '../dom';
import { digits, number } from '../format';
import { colourOptions } from './colours';
import type { PolicyGraph } from './model';

export interface Wishes {
  search: (text: string) => void;
  nextMatch: (backwards: boolean) => void;
  filter: () => void;
  colour: () => void;
  zoomBy: (factor: number) => void;
  fit: () => void;
  leave: () => void; // back to the picture
}

const steps = 100;

export class Controls {
  readonly element: HTMLElement;
  readonly zoom: HTMLElement;
  private readonly searchBox = h('input', {
    type: 'search',
    id: 'search',
    placeholder: hasKeyboard() ? 'Search facts and actions ( / )' : 'Search facts and actions',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-label': 'Search states',
    'aria-describedby': 'matches',
  });
  private readonly matches = h('output', { id: 'matches', for: 'search' });
  private readonly visits = h('input', {
    type: 'range',
    id: 'min-visits',
    min: 0,
    max: steps,
    value: 0,
  });
  private readonly visitsText = h('output', { for: 'min-visits' }, 'any');
  private readonly schema: HTMLSelectElement;
  private readonly stochastic = h('input', { type: 'checkbox', id: 'stochastic' });
  private readonly colours: HTMLSelectElement;
  private readonly many: HTMLSelectElement;
  private readonly range: [number, number];
  private readonly ended = new AbortController();

  constructor(graph: PolicyGraph, most: number, wishes: Wishes) {
    const all = graph.nodes.map(({ visits }) => visits).filter((visits) => visits > 0);
    this.range = [
      all.reduce((a, b) => Math.min(a, b), Infinity),
      all.reduce((a, b) => Math.max(a, b), 0),
    ];
    this.schema = h(
      'select',
      { id: 'action' },
      h('option', { value: '' }, 'any action'),
      ...graph
        .schemas()
        .slice(0, 300)
        .map(([name, uses]) => h('option', { value: name }, `${name} (${digits(uses)})`)),
    );
    this.colours = h(
      'select',
      { id: 'colour' },
      ...colourOptions(graph).map(([value, text]) => h('option', { value }, text)),
    );
    const size = graph.nodes.length;
    const limits = [200, 1500, 5000, 20000].filter((limit) => limit < size);
    this.many = h(
      'select',
      { id: 'most' },
      ...limits.map((limit) =>
        h('option', { value: limit, selected: limit === most }, `at most ${digits(limit)}`),
      ),
      h('option', { value: size, selected: size <= most }, 'all'),
    );
    this.element = this.build(limits.length > 0);
    this.zoom = this.buttons(wishes);
    this.listen(wishes);
  }

  /** The buttons over the picture. */
  private buttons(wishes: Wishes): HTMLElement {
    const button = (text: string, name: string, act: () => void) =>
      h('button', { type: 'button', 'aria-label': name, title: name, onclick: act }, text);
    return h(
      'div',
      { class: 'zoom' },
      button('+', 'Zoom in', () => wishes.zoomBy(1.4)),
      button('−', 'Zoom out', () => wishes.zoomBy(1 / 1.4)),
      button('Fit', 'Show everything', () => wishes.fit()),
    );
  }

  private build(isLarge: boolean): HTMLElement {
    const label = (text: string, ...parts: HTMLElement[]) =>
      h('label', {}, h('span', {}, text), ...parts);
    return h(
      'div',
      { class: 'toolbar', role: 'toolbar', 'aria-label': 'Tools for the policy' },
      h('div', { class: 'search' }, this.searchBox, this.matches),
      label('visits', this.visits, this.visitsText),
      label('action', this.schema),
      h('label', { class: 'check' }, this.stochastic, h('span', {}, 'random choices only')),
      label('colour', this.colours),
      isLarge ? label('show', this.many) : null,
    );
  }

  private listen(wishes: Wishes): void {
    this.searchBox.addEventListener('input', () => wishes.search(this.searchBox.value));
    this.searchBox.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') wishes.nextMatch(event.shiftKey);
      else if (event.key === 'Escape') {
        this.searchBox.value = '';
        wishes.search('');
        wishes.leave();
      } else return;
      event.preventDefault();
      event.stopPropagation();
    });
    this.visits.addEventListener('input', () => {
      this.visitsText.textContent = this.minVisits ? `≥ ${number(this.minVisits)}` : 'any';
      wishes.filter();
    });
    for (const input of [this.schema, this.stochastic, this.many])
      input.addEventListener('change', () => wishes.filter());
    this.colours.addEventListener('change', () => wishes.colour());
    const slash = (event: KeyboardEvent) => {
      const inField = (event.target as Element).closest?.('input, select, textarea');
      if (event.key !== '/' || inField || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      this.searchBox.focus();
    };
    addEventListener('keydown', slash, { signal: this.ended.signal });
  }

  dispose(): void {
    this.ended.abort();
  }

  /** Shows what another one was set to, as far as there is the same to choose from. */
  takeOver(other: Controls): void {
    this.visits.value = other.visits.value;
    this.visitsText.textContent = this.minVisits ? `≥ ${number(this.minVisits)}` : 'any';
    this.stochastic.checked = other.stochastic.checked;
    this.searchBox.value = other.searchBox.value;
    for (const [mine, its] of [
      [this.schema, other.schema],
      [this.colours, other.colours],
    ])
      if ([...mine.options].some(({ value }) => value === its.value)) mine.value = its.value;
  }

  /** From the least visits to the most, by factors. */
  get minVisits(): number {
    const step = Number(this.visits.value);
    const [least, most] = this.range;
    if (step === 0 || !(most > 0)) return 0;
    const exact = least * (most / least) ** (step / steps);
    return step === steps ? most : Number(exact.toPrecision(2));
  }
  get chosenSchema(): string {
    return this.schema.value;
  }
  get stochasticOnly(): boolean {
    return this.stochastic.checked;
  }
  get colour(): string {
    return this.colours.value;
  }
  get most(): number {
    return Number(this.many.value);
  }
  sayMatches(text: string): void {
    this.matches.textContent = text;
  }
}
