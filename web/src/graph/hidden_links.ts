// Links between shown states that lead through hidden ones, so that a filtered picture still says
// what can come after what.
import type { PolicyGraph } from './model';

export type Link = [from: number, to: number];

const mostSteps = 3_000_000;

/** Gives up, with none, when it would take too long to find them all. */
export function hiddenLinks(graph: PolicyGraph, shown: number[]): Link[] {
  if (shown.length === graph.nodes.length || shown.length > 500) return [];
  const visible = new Set(shown);
  const seenFrom = new Int32Array(graph.nodes.length).fill(-1);
  const links: Link[] = [];
  let steps = 0;
  for (const start of shown) {
    const direct = new Set(graph.nodes[start].out.map(({ to }) => to));
    const stack = [...direct].filter((to) => !visible.has(to));
    for (const id of stack) seenFrom[id] = start;
    for (let id = stack.pop(); id !== undefined; id = stack.pop())
      for (const { to } of graph.nodes[id].out) {
        if (++steps > mostSteps) return [];
        if (seenFrom[to] === start || to === start) continue;
        seenFrom[to] = start;
        if (!visible.has(to)) stack.push(to);
        else if (!direct.has(to)) links.push([start, to]);
      }
  }
  return links;
}
