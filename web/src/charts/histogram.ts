// How often single runs cost how much: small bars, those above the bound in another colour and
// hatched, so that they can be told apart without colours.
import { h, svg } from '../dom';
import { number, percent } from '../format';

/** from and to are the same: one value. */
export type Bar = [from: number, to: number, count: number, above: boolean];

const [width, height] = [200, 44];
const least = 1; // px: what has happened at all is to be seen
let histograms = 0;

function label([from, to, count]: Bar, runs: number): string {
  const what = from === to ? number(from) : `${number(from)} to ${number(to)}`;
  return `${what}: ${percent(count / runs)} of runs`;
}

/** `bound`: where to draw a line. */
export function histogram(bars: Bar[], runs: number, name: string, bound?: number): HTMLElement {
  const [low, high] = [bars[0][0], bars.at(-1)![1]];
  // Single values are as wide as the least distance between two of them.
  let gap = Infinity;
  bars.forEach(([from], i) => {
    if (i > 0) gap = Math.min(gap, from - bars[i - 1][0]);
    // Nor do they reach a bound between two of them.
    if (bound !== undefined && bound !== from) gap = Math.min(gap, 2 * Math.abs(bound - from));
  });
  const single = bars.every(([from, to]) => from === to);
  const room = single ? (Number.isFinite(gap) ? gap : Math.abs(low) || 1) : 0;
  // What is just within the bound is drawn before it.
  const limit = single && bars.some(([from]) => from === bound) ? bound! + room / 2 : bound;
  const begin = Math.min(low - room / 2, limit ?? Infinity);
  const end = Math.max(high + room / 2, limit ?? -Infinity);
  const x = (value: number) => (width * (value - begin)) / (end - begin || 1);
  // What is tall is frequent: an interval that a bound has cut is as tall as its share asks for.
  const widest = Math.max(...bars.map(([from, to]) => to - from));
  const density = ([from, to, count]: Bar) => count / (single ? 1 : to - from || widest);
  const most = Math.max(...bars.map(density));
  const hatch = `hatch-${histograms++}`;
  const picture = svg(
    'svg',
    {
      viewBox: `0 0 ${width} ${height}`,
      preserveAspectRatio: 'none',
      role: 'img',
      'aria-label': `How ${name} is distributed over single runs`,
    },
    svg(
      'pattern',
      {
        id: hatch,
        width: 4,
        height: 4,
        patternUnits: 'userSpaceOnUse',
        patternTransform: 'rotate(45)',
      },
      svg('rect', { width: 4, height: 4, class: 'above' }),
      svg('rect', { width: 1.4, height: 4, class: 'stripe' }),
    ),
  );
  for (const bar of bars) {
    const [from, to, count, above] = bar;
    if (count === 0) continue;
    const [left, right] = single ? [x(from - 0.4 * room), x(from + 0.4 * room)] : [x(from), x(to)];
    const tall = Math.max(least, ((height - 2) * density(bar)) / most);
    const drawn = Math.max(1.5, right - left - (single ? 0 : 0.8));
    picture.append(
      svg(
        'rect',
        {
          x: (single ? (left + right - drawn) / 2 : left).toFixed(2),
          y: (height - tall).toFixed(2),
          width: drawn.toFixed(2),
          height: tall.toFixed(2),
          class: above ? 'bar above' : 'bar',
          fill: above ? `url(#${hatch})` : undefined,
        },
        svg('title', {}, label(bar, runs)),
      ),
    );
  }
  if (limit !== undefined)
    picture.append(svg('line', { class: 'limit', x1: x(limit), x2: x(limit), y1: 0, y2: height }));
  return h(
    'div',
    { class: 'histogram' },
    picture,
    h(
      'div',
      { class: 'ends', 'aria-hidden': 'true' },
      h('span', {}, number(low)),
      h('span', {}, number(high)),
    ),
  );
}
