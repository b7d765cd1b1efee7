// Which states are drawn. Of those that pass the filters only the most visited, if they are too
// many: a picture of 50,000 states shows none of them.
import { isEnd, type PolicyGraph } from './model';

export interface Filter {
  minVisits: number;
  schema: string; // '': any
  stochasticOnly: boolean;
  most: number;
  extra: Set<number>; // shown whatever the filters say: found by a search, or selected
}

export interface Selection {
  shown: number[]; // in the order of their ids
  passed: number; // how many states the filters let through
  passedGoals: number;
}

export function select(graph: PolicyGraph, filter: Filter): Selection {
  const passes = graph.nodes.filter(
    (node) =>
      node.visits >= filter.minVisits &&
      (!filter.schema || graph.usesSchema(node.id, filter.schema)) &&
      (!filter.stochasticOnly || node.stochastic),
  );
  const passedGoals = passes.filter(isEnd).length;
  const passed = passes.length - passedGoals;
  if (passes.length > filter.most) {
    passes.sort((a, b) => b.visits - a.visits || a.id - b.id);
    passes.length = filter.most;
  }
  const shown = new Set(passes.map((node) => node.id));
  shown.add(0); // where everything begins
  for (const id of filter.extra) shown.add(id);
  return { shown: [...shown].sort((a, b) => a - b), passed, passedGoals };
}
