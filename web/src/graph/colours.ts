// What the colour of a state can mean: its kind, the action that is taken there, or what it still
// costs. The palette of Okabe and Ito can be told apart by nearly everybody.
import { scaleLinear } from 'd3-scale';
import { h } from '../dom';
import { briefly, schema } from '../format';
import type { PolicyGraph } from './model';

const palette = [
  '#0072b2',
  '#e69f00',
  '#009e73',
  '#cc79a7',
  '#56b4e9',
  '#d55e00',
  '#b8a800',
  '#8a8a8a',
];
const ramp = ['#fde725', '#5ec962', '#21918c', '#3b528b', '#440154'];

export interface Colouring {
  fill: (id: number) => string | null;
  legend: HTMLElement[];
}

export function colourOptions(graph: PolicyGraph): [string, string][] {
  return [
    ['kind', 'kind of state'],
    ['action', 'action'],
    ...graph.costs.map((name, i): [string, string] => [`value-${i}`, `${name} to go`]),
  ];
}

function entry(mark: HTMLElement, text: string): HTMLElement {
  return h('li', {}, mark, text);
}

function swatch(fill: string): HTMLElement {
  const mark = h('span', { class: 'dot' });
  mark.style.backgroundColor = fill;
  return mark;
}

function byKind(graph: PolicyGraph): Colouring {
  const key = (kind: string) => h('span', { class: `dot ${kind}` });
  const legend = [
    entry(key('state'), 'state, as large as it is visited'),
    entry(key('chance'), 'random choice'),
    entry(key('goal'), 'goal'),
  ];
  if (graph.nodes.some(({ kind }) => kind === 'given-up'))
    legend.push(entry(key('given-up'), 'given up'));
  return { fill: () => null, legend };
}

function byAction(graph: PolicyGraph): Colouring {
  const all = graph.schemas().map(([name]) => name);
  const rank = new Map(all.map((name, i) => [name, Math.min(i, palette.length - 1)]));
  const legend = all.slice(0, palette.length - 1).map((name, i) => entry(swatch(palette[i]), name));
  if (all.length >= palette.length) legend.push(entry(swatch(palette.at(-1)!), 'others'));
  const fill = (id: number) => {
    const { choices } = graph.nodes[id];
    return choices.length
      ? palette[rank.get(schema(graph.policy.actions[choices[0][0]].name))!]
      : null;
  };
  return { fill, legend };
}

function byValue(graph: PolicyGraph, cost: number): Colouring {
  let [low, high] = [Infinity, -Infinity];
  for (const { values } of graph.nodes) {
    if (!values) continue;
    low = Math.min(low, values[cost]);
    high = Math.max(high, values[cost]);
  }
  const scale = scaleLinear<string>(
    ramp.map((_, k) => low + ((high - low) * k) / (ramp.length - 1)),
    ramp,
  ).clamp(true);
  const values = low === high ? [low] : [low, (low + high) / 2, high];
  const texts = briefly(values);
  const legend = values.map((value, i) => entry(swatch(scale(value)), texts[i]));
  return {
    fill: (id) => (graph.nodes[id].values ? scale(graph.nodes[id].values![cost]) : null),
    legend,
  };
}

export function colouring(graph: PolicyGraph, by: string): Colouring {
  if (by === 'action') return byAction(graph);
  if (by.startsWith('value-')) return byValue(graph, Number(by.slice('value-'.length)));
  return byKind(graph);
}
