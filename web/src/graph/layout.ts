// A layered drawing, as Sugiyama's: a column for every distance from the start, columns ordered by
// the mean position of their neighbours to keep crossings few, then states moved up and down
// towards their neighbours as far as their order and size allow. Columns with very many states are
// folded into blocks instead.
import type { Edge } from './model';

export interface Place {
  x: number;
  y: number;
  room: number; // below it, for a label
}

export interface LayoutInput {
  depth: number[]; // of each state
  radius: number[];
  edges: Edge[]; // from and to are indices of states
  aspect: number; // height by width of where it will be seen
}

const columnGap = 128;
const rowGap = 26;
const sweeps = 6;
const mostStretch = 5;
const tallest = 60; // states in one column; more are folded
const blockGap = 30; // between the sub-columns of a block

/** Positions d_i, as near as possible (least squares) and at least gap_i apart. */
function spread(wanted: number[], weights: number[], gaps: number[]): number[] {
  // Pool adjacent violators on positions less the space that all states before them need.
  let offset = 0;
  const offsets: number[] = [];
  const blocks: { sum: number; weight: number; size: number }[] = [];
  wanted.forEach((position, i) => {
    offset += i > 0 ? gaps[i] : 0;
    offsets.push(offset);
    let block = { sum: (position - offset) * weights[i], weight: weights[i], size: 1 };
    for (let last = blocks.at(-1); last; last = blocks.at(-1)) {
      if (last.sum / last.weight <= block.sum / block.weight) break;
      blocks.pop();
      block = {
        sum: last.sum + block.sum,
        weight: last.weight + block.weight,
        size: last.size + block.size,
      };
    }
    blocks.push(block);
  });
  const result: number[] = [];
  for (const { sum, weight, size } of blocks)
    for (let k = 0; k < size; ++k) result.push(sum / weight + offsets[result.length]);
  return result;
}

export function layout({ depth, radius, edges, aspect }: LayoutInput): Place[] {
  const layers = toLayers(depth);
  const rank = new Float64Array(depth.length); // position in its layer
  const column = new Int32Array(depth.length);
  layers.forEach((layer, c) =>
    layer.forEach((id, i) => {
      rank[id] = i;
      column[id] = c;
    }),
  );
  const neighbours = neighbourLists(depth.length, edges);
  const mean = (id: number, value: ArrayLike<number>, side: number): [number, number] => {
    let sum = 0;
    let weight = 0;
    for (const [other, flow] of neighbours[id]) {
      if (side !== 0 && Math.sign(column[other] - column[id]) !== side) continue;
      const w = 1 + flow;
      sum += w * value[other];
      weight += w;
    }
    return [sum, weight];
  };

  // Order: alternately by what comes before and by what comes after.
  for (let sweep = 0; sweep < sweeps; ++sweep) {
    const side = sweep % 2 === 0 ? -1 : 1;
    for (const layer of side < 0 ? layers : [...layers].reverse()) {
      const relative = layer.map((id) => {
        const [sum, weight] = mean(id, rank, side);
        return weight > 0 ? sum / weight : rank[id];
      });
      const order = layer.map((_, i) => i).sort((a, b) => relative[a] - relative[b] || a - b);
      const ordered = order.map((i) => layer[i]);
      ordered.forEach((id, i) => {
        layer[i] = id;
        // Centred, so that layers of different sizes compare.
        rank[id] = i - ordered.length / 2;
      });
    }
  }

  const y = new Float64Array(depth.length);
  for (const layer of layers) {
    let at = 0;
    layer.forEach((id, i) => {
      if (i > 0) at += radius[layer[i - 1]] + radius[id] + rowGap;
      y[id] = at;
    });
    for (const id of layer) y[id] -= at / 2;
  }
  for (let sweep = 0; sweep < sweeps; ++sweep) {
    const side = sweep % 2 === 0 ? -1 : 1;
    for (const layer of side < 0 ? layers : [...layers].reverse()) {
      if (layer.length > tallest) continue;
      const wanted = layer.map((id) => {
        const [sum, weight] = mean(id, y, sweep < sweeps - 2 ? side : 0);
        return weight > 0 ? sum / weight : y[id];
      });
      const weights = layer.map((id) => 1 + radius[id]);
      const gaps = layer.map((id, i) => (i ? radius[layer[i - 1]] + radius[id] + rowGap : 0));
      spread(wanted, weights, gaps).forEach((position, i) => (y[layer[i]] = position));
    }
  }
  const places = stretched(place(layers, y, radius), aspect);
  for (const layer of layers)
    if (layer.length <= tallest)
      layer.forEach((id, i) => {
        const next = layer[i + 1];
        places[id].room =
          next === undefined ? Infinity : places[next].y - places[id].y - radius[id] - radius[next];
      });
  return places;
}

/** A long and flat picture has room to be taller. */
function stretched(places: Place[], aspect: number): Place[] {
  const span = (axis: 'x' | 'y') =>
    places.reduce((most, place) => Math.max(most, place[axis]), -Infinity) -
    places.reduce((least, place) => Math.min(least, place[axis]), Infinity);
  const factor = Math.min(mostStretch, (aspect * (span('x') + columnGap)) / (span('y') + rowGap));
  if (factor > 1) for (const place of places) place.y *= factor;
  return places;
}

function toLayers(depth: number[]): number[][] {
  const byDepth = new Map<number, number[]>();
  depth.forEach((d, id) => {
    const layer = byDepth.get(d);
    if (layer) layer.push(id);
    else byDepth.set(d, [id]);
  });
  return [...byDepth].sort((a, b) => a[0] - b[0]).map(([, layer]) => layer);
}

function neighbourLists(size: number, edges: Edge[]): [number, number][][] {
  const lists: [number, number][][] = Array.from({ length: size }, () => []);
  for (const { from, to, flow } of edges) {
    if (from === to) continue;
    lists[from].push([to, flow]);
    lists[to].push([from, flow]);
  }
  return lists;
}

function place(layers: number[][], y: Float64Array, radius: number[]): Place[] {
  const places: Place[] = Array.from({ length: y.length }, () => ({ x: 0, y: 0, room: 0 }));
  let x = 0;
  for (const layer of layers) {
    if (layer.length <= tallest) {
      for (const id of layer) places[id] = { x, y: y[id], room: 0 };
      x += columnGap;
      continue;
    }
    const rows = Math.max(tallest, Math.ceil(Math.sqrt(layer.length * 2)));
    const cell = 2 * Math.max(...layer.map((id) => Math.min(radius[id], 8))) + 6;
    layer.forEach((id, i) => {
      const [column, row] = [Math.floor(i / rows), i % rows];
      places[id] = { x: x + column * blockGap, y: (row - rows / 2) * cell, room: 0 };
    });
    x += Math.floor((layer.length - 1) / rows) * blockGap + columnGap;
  }
  return places;
}
