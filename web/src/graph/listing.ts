// The states that are shown, as a table: for those who would rather read, or cannot see.
import { h } from '../dom';
import { digits, number } from '../format';
import type { PolicyGraph } from './model';

const most = 200;

export class Listing {
  readonly element: HTMLElement;
  private readonly note = h('p', { class: 'shown' });
  private readonly rows = h('tbody');

  constructor(
    private readonly graph: PolicyGraph,
    private readonly select: (id: number) => void,
  ) {
    const columns = ['state', 'visits', 'does'].map((name) => h('th', { scope: 'col' }, name));
    this.element = h(
      'details',
      { class: 'listing' },
      h('summary', {}, 'The same as a table'),
      this.note,
      h(
        'div',
        { class: 'scroll' },
        h('table', {}, h('thead', {}, h('tr', {}, ...columns)), this.rows),
      ),
    );
  }

  show(states: number[]): void {
    const { nodes } = this.graph;
    const sorted = [...states].sort((a, b) => nodes[b].visits - nodes[a].visits);
    this.rows.replaceChildren(...sorted.slice(0, most).map((id) => this.row(id)));
    const rest = sorted.length - most;
    this.note.textContent =
      rest > 0
        ? `The ${most} most visited of the states shown … and ${digits(rest)} more.`
        : 'The most visited come first.';
  }

  private row(id: number): HTMLElement {
    const onclick = () => this.select(id);
    const name = h('button', { class: 'link', type: 'button', onclick }, this.graph.name(id));
    return h(
      'tr',
      {},
      h('th', { scope: 'row' }, name),
      h('td', {}, number(this.graph.nodes[id].visits)),
      h('td', {}, this.graph.does(id)),
    );
  }
}
