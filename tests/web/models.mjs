// Explicit models for the tests of the report page.

/** A wide one: `layers` × `width` states, all of them visited; driving fast takes more fuel. */
export function wide(layers, width) {
  const actions = [];
  const uniform = Object.fromEntries(
    Array.from({ length: width }, (_, i) => [`0:${i}`, 1 / width]),
  );
  actions.push({ state: 'start', name: 'set off', cost: [1, 0], outcomes: uniform });
  for (let layer = 0; layer < layers; ++layer)
    for (let i = 0; i < width; ++i) {
      const next = (shift) =>
        layer + 1 === layers ? 'home' : `${layer + 1}:${(i + shift + width) % width}`;
      const outcomes = {};
      for (const [shift, probability] of [
        [-1, 0.25],
        [0, 0.5],
        [1, 0.25],
      ])
        outcomes[next(shift)] = (outcomes[next(shift)] ?? 0) + probability;
      const state = `${layer}:${i}`;
      actions.push({ state, name: 'fast', cost: [1, 2], outcomes });
      if (i % 7 === 0) actions.push({ state, name: 'slow', cost: [2, 1], outcomes });
    }
  return {
    format: 'cssp',
    version: 1,
    costs: ['time', 'fuel'],
    bounds: { fuel: 2 * layers - 5 },
    initial: 'start',
    goals: ['home'],
    actions,
  };
}

/** No policy avoids the risk of a dead end. */
export function deadEnd() {
  return {
    format: 'cssp',
    version: 1,
    costs: ['time'],
    initial: 'home',
    goals: ['work'],
    actions: [{ state: 'home', name: 'jump', cost: [1], outcomes: { work: 0.5, pit: 0.5 } }],
  };
}

/** Two jobs that cost of a reward; the better one takes more time than there is. */
export function jobs() {
  const job = (name, cost) => ({ state: 'start', name, cost, outcomes: { done: 1 } });
  return {
    format: 'cssp',
    version: 1,
    costs: ['reward', 'time'],
    rewards: ['reward'],
    bounds: { time: 2 },
    initial: 'start',
    goals: ['done'],
    actions: [job('good', [1, 4]), job('quick', [3, 0])],
  };
}

/** Names that would be trouble if a page took them for markup, code or an end of its data. */
export const hostileNames = [
  '</script><script>window.hacked=1</script>',
  '<img src=x onerror="window.hacked=1">',
  '"\'`${window.hacked=1}`',
  '<!-- <script> ]]>  \u2028 \u2029',
  'Zürich → 東京 🚁 \u202Egnirts',
  '__proto__',
];

/** Every state, action and cost has such a name; both ways are needed to meet the bound. */
export function hostile() {
  const [a, b, c, d, e, f] = hostileNames;
  return {
    format: 'cssp',
    version: 1,
    costs: [a, b],
    bounds: { [b]: 5 },
    initial: c,
    goals: [d],
    actions: [
      { state: c, name: e, cost: [1, 10], outcomes: { [d]: 0.5, [a]: 0.5 } },
      { state: c, name: a, cost: [9, 0], outcomes: { [d]: 1 } },
      { state: a, name: f, cost: [1, 0], outcomes: { [d]: 0.5, [a]: 0.5 } },
    ],
  };
}

/** Two ways whose costs differ in the fifth digit only. */
export function nearlyEqual() {
  const way = (name, cost) => ({ state: 'start', name, cost, outcomes: { done: 1 } });
  return {
    format: 'cssp',
    version: 1,
    costs: ['time', 'fuel'],
    bounds: { fuel: 0.5 },
    initial: 'start',
    goals: ['done'],
    actions: [way('fast', [7.7101, 1]), way('slow', [7.7104, 0])],
  };
}
