// All about one state: its facts, what the policy does there and where that leads, what it still
// costs, and where one comes from.
import type { Choice, Outcome } from '../data';
import { h, hasKeyboard, type Child } from '../dom';
import { number, percent, plain } from '../format';
import { alternatives } from './alternatives';
import type { Node, PolicyGraph } from './model';

type Select = (id: number) => void;

const mostListed = 8;

/** "…": what changes from one state to another, if states are sets of facts. */
function difference(graph: PolicyGraph, from: number, to: number): string {
  if (graph.nodes[to].kind === 'given-up') return 'gives up';
  if (!graph.factored) return graph.name(to);
  const [before, after] = [new Set(graph.facts(from)), new Set(graph.facts(to))];
  const gained = [...after].filter((fact) => !before.has(fact)).map((fact) => `+ ${plain(fact)}`);
  const lost = [...before].filter((fact) => !after.has(fact)).map((fact) => `− ${plain(fact)}`);
  return [...gained, ...lost].join(', ') || 'the same facts';
}

function goTo(graph: PolicyGraph, id: number, text: string, select: Select): HTMLElement {
  const kind = graph.nodes[id].kind === 'goal' ? ' (goal)' : '';
  return h('button', { type: 'button', class: 'link', onclick: () => select(id) }, text + kind);
}

function outcomeItem(
  graph: PolicyGraph,
  node: Node,
  [to, chance]: Outcome,
  select: Select,
): HTMLElement {
  const target: Child =
    to < 0
      ? h('em', {}, 'a state that is not in this page')
      : to === node.id
        ? h('em', {}, 'nothing changes')
        : goTo(graph, to, difference(graph, node.id, to), select);
  return h('li', {}, h('span', { class: 'chance' }, percent(chance)), target);
}

function choiceItem(graph: PolicyGraph, node: Node, choice: Choice, select: Select): HTMLElement {
  const [index, probability, outcomes] = choice;
  const action = graph.policy.actions[index];
  const bar = h('div', { class: 'bar', 'aria-hidden': 'true' });
  bar.style.width = `${100 * probability}%`;
  const costs = action.costs
    .map((cost, i) => (cost === 0 ? '' : `${graph.costs[i]} ${number(cost)}`))
    .filter(Boolean)
    .join(', ');
  const sorted = [...outcomes].sort((a, b) => b[1] - a[1]);
  const rest = sorted.length - mostListed;
  return h(
    'li',
    { class: 'choice' },
    h(
      'div',
      { class: 'action' },
      bar,
      h('span', { class: 'name' }, plain(action.name)),
      h('span', { class: 'chance' }, percent(probability)),
    ),
    h('div', { class: 'costs' }, costs || 'costs nothing'),
    h(
      'ul',
      { class: 'outcomes' },
      ...sorted.slice(0, mostListed).map((outcome) => outcomeItem(graph, node, outcome, select)),
      rest > 0 ? h('li', {}, h('em', {}, `… and ${rest} more`)) : null,
    ),
  );
}

const kinds = {
  start: 'Start',
  state: 'State',
  goal: 'Goal',
  'given-up': 'Given up',
};

function predecessors(graph: PolicyGraph, node: Node, select: Select): Child[] {
  const edges = node.in.filter(({ from }) => from !== node.id).sort((a, b) => b.flow - a.flow);
  if (edges.length === 0) return [];
  const rest = edges.length - mostListed;
  return [
    h('h4', {}, 'Comes from'),
    h(
      'ul',
      { class: 'outcomes' },
      ...edges
        .slice(0, mostListed)
        .map(({ from }) => h('li', {}, goTo(graph, from, graph.label(from), select))),
      rest > 0 ? h('li', {}, h('em', {}, `… and ${rest} more`)) : null,
    ),
  ];
}

export function details(graph: PolicyGraph, id: number, select: Select): HTMLElement[] {
  const node = graph.nodes[id];
  const end = node.kind === 'goal' || node.kind === 'given-up';
  const often = end
    ? `ends here with probability ${percent(node.visits)}`
    : `${number(node.visits)} expected visits, ${node.depth} from the start`;
  const parts: Child[] = [
    h('h3', {}, node.stochastic ? `${kinds[node.kind]} with a random choice` : kinds[node.kind]),
    h('p', { class: 'often' }, often),
    h('ul', { class: 'facts' }, ...graph.facts(id).map((fact) => h('li', {}, plain(fact)))),
  ];
  if (!end) {
    parts.push(
      h('h4', {}, node.stochastic ? 'Chooses at random' : 'Action'),
      h('ul', { class: 'choices' }, ...node.choices.map((c) => choiceItem(graph, node, c, select))),
      h('h4', {}, 'Expected cost from here'),
      h(
        'dl',
        { class: 'values' },
        ...(node.values ?? []).map((value, i) =>
          h('div', {}, h('dt', {}, graph.costs[i]), h('dd', {}, number(value))),
        ),
      ),
      ...alternatives(graph.explanation(id), graph.costs),
    );
  }
  parts.push(...predecessors(graph, node, select));
  return parts as HTMLElement[];
}

export function noDetails(): HTMLElement[] {
  return [
    h('h3', {}, 'Choose a state'),
    h(
      'p',
      {},
      `${hasKeyboard() ? 'Click' : 'Tap'} on one to see its facts, what the policy does there and what it still costs.`,
    ),
    hasKeyboard() ? keys() : h('p', {}, 'Two fingers move and zoom the picture.'),
  ];
}

function keys(): HTMLElement {
  const key = (name: string, what: string) => h('li', {}, h('kbd', {}, name), ` ${what}`);
  return h(
    'ul',
    { class: 'keys' },
    key('→', 'likeliest successor'),
    key('←', 'likeliest predecessor'),
    key('↑ ↓', 'neighbours in the column'),
    key('Home', 'start'),
    key('+ − 0', 'zoom, fit'),
    key('/', 'search'),
    key('Esc', 'let go'),
  );
}
