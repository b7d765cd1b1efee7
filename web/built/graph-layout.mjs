// web/src/graph/layout.ts
var columnGap = 128;
var rowGap = 26;
var sweeps = 6;
var mostStretch = 5;
var tallest = 60;
var blockGap = 30;
function spread(wanted, weights, gaps) {
  let offset = 0;
  const offsets = [];
  const blocks = [];
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
        size: last.size + block.size
      };
    }
    blocks.push(block);
  });
  const result = [];
  for (const { sum, weight, size } of blocks)
    for (let k = 0; k < size; ++k) result.push(sum / weight + offsets[result.length]);
  return result;
}
function layout({ depth, radius, edges, aspect }) {
  const layers = toLayers(depth);
  const rank = new Float64Array(depth.length);
  const column = new Int32Array(depth.length);
  layers.forEach(
    (layer, c) => layer.forEach((id, i) => {
      rank[id] = i;
      column[id] = c;
    })
  );
  const neighbours = neighbourLists(depth.length, edges);
  const mean = (id, value, side) => {
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
      const gaps = layer.map((id, i) => i ? radius[layer[i - 1]] + radius[id] + rowGap : 0);
      spread(wanted, weights, gaps).forEach((position, i) => y[layer[i]] = position);
    }
  }
  const places = stretched(place(layers, y, radius), aspect);
  for (const layer of layers)
    if (layer.length <= tallest)
      layer.forEach((id, i) => {
        const next = layer[i + 1];
        places[id].room = next === void 0 ? Infinity : places[next].y - places[id].y - radius[id] - radius[next];
      });
  return places;
}
function stretched(places, aspect) {
  const span = (axis) => places.reduce((most, place2) => Math.max(most, place2[axis]), -Infinity) - places.reduce((least, place2) => Math.min(least, place2[axis]), Infinity);
  const factor = Math.min(mostStretch, aspect * (span("x") + columnGap) / (span("y") + rowGap));
  if (factor > 1) for (const place2 of places) place2.y *= factor;
  return places;
}
function toLayers(depth) {
  const byDepth = /* @__PURE__ */ new Map();
  depth.forEach((d, id) => {
    const layer = byDepth.get(d);
    if (layer) layer.push(id);
    else byDepth.set(d, [id]);
  });
  return [...byDepth].sort((a, b) => a[0] - b[0]).map(([, layer]) => layer);
}
function neighbourLists(size, edges) {
  const lists = Array.from({ length: size }, () => []);
  for (const { from, to, flow } of edges) {
    if (from === to) continue;
    lists[from].push([to, flow]);
    lists[to].push([from, flow]);
  }
  return lists;
}
function place(layers, y, radius) {
  const places = Array.from({ length: y.length }, () => ({ x: 0, y: 0, room: 0 }));
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
export {
  layout
};
