// Axes, grid and labels of a chart. Charts are SVG, so that they print and scale well.
import { scaleLinear, type ScaleLinear } from 'd3-scale';
import { svg } from '../dom';
import { tickLabels } from '../format';

export type Scale = ScaleLinear<number, number>;

export interface Frame {
  root: SVGSVGElement;
  plot: SVGGElement; // what is drawn here is clipped to the axes
  overlay: SVGGElement; // not clipped
  x: Scale;
  y: Scale;
}

export interface FrameOptions {
  label: string; // for those who cannot see it
  x: [number, number];
  y: [number, number];
  xTitle: string;
  yTitle: string;
  xTick?: (value: number) => string;
  tall?: boolean;
  right?: number; // room for labels at the ends of lines
  grid?: boolean;
}

const margin = { left: 62, right: 18, top: 14, bottom: 46 };
const digitWidth = 7; // at 12 px
let frames = 0;

/** Names from a model can be longer than an axis. */
const fitting = (text: string) => (text.length > 56 ? `${text.slice(0, 55)}…` : text);

/** A domain that is not empty, with some air. */
export function padded([low, high]: [number, number], share = 0.06): [number, number] {
  // What differs by rounding only is no range.
  const span = high - low > 1e-9 * Math.abs(high) ? high - low : Math.abs(high) || 1;
  return [low - share * span, high + share * span];
}

export function frame(options: FrameOptions): Frame {
  const [width, height] = options.tall ? [480, 440] : [760, 330];
  const bottom = height - margin.bottom;
  const y = scaleLinear(options.y, [bottom, margin.top]);
  const yTicks = y.ticks(6);
  const yLabels = tickLabels(yTicks);
  const widest = Math.max(0, ...yLabels.map(({ length }) => length));
  const left = Math.max(margin.left, 32 + digitWidth * widest);
  const right = width - (options.right ?? margin.right);
  const x = scaleLinear(options.x, [left, right]);
  const clip = `clip-${frames++}`;
  const plot = svg('g', { 'clip-path': `url(#${clip})` });
  const overlay = svg('g');
  const root = svg(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': options.label, class: 'chart' },
    svg('title', {}, options.label),
    svg(
      'clipPath',
      { id: clip },
      svg('rect', {
        x: left,
        y: margin.top,
        width: right - left,
        height: bottom - margin.top,
      }),
    ),
  );
  const axes = svg('g', { class: 'axes' });
  const [xTicks, xLabels] = fittingTicks(x, right - left, options.xTick);
  xTicks.forEach((tick, i) => {
    if (options.grid !== false)
      axes.append(svg('line', { x1: x(tick), x2: x(tick), y1: margin.top, y2: bottom }));
    // The last one must not leave the picture.
    const at = Math.min(x(tick), width - 2 - (digitWidth * xLabels[i].length) / 2);
    axes.append(svg('text', { x: at, y: bottom + 18, class: 'middle' }, xLabels[i]));
  });
  yTicks.forEach((tick, i) => {
    if (options.grid !== false)
      axes.append(svg('line', { x1: left, x2: right, y1: y(tick), y2: y(tick) }));
    axes.append(svg('text', { x: left - 8, y: y(tick) + 4, class: 'end' }, yLabels[i]));
  });
  axes.append(
    svg(
      'text',
      { x: (left + right) / 2, y: height - 8, class: 'middle title' },
      fitting(options.xTitle),
    ),
    svg(
      'text',
      {
        transform: `translate(14 ${(margin.top + bottom) / 2}) rotate(-90)`,
        class: 'middle title',
      },
      fitting(options.yTitle),
    ),
  );
  root.append(axes, plot, overlay);
  return { root, plot, overlay, x, y };
}

/** As many ticks as there is room for their labels beside each other. */
function fittingTicks(
  x: Scale,
  width: number,
  format?: (value: number) => string,
): [number[], string[]] {
  for (let most = format ? 4 : 6; ; --most) {
    const ticks = x.ticks(most);
    const labels = format ? ticks.map(format) : tickLabels(ticks);
    const widest = Math.max(0, ...labels.map(({ length }) => length));
    if (most <= 1 || ticks.length * (widest + 2) * digitWidth <= width) return [ticks, labels];
  }
}

export function path(points: [number, number][], { x, y }: Frame): string {
  return points
    .map(([a, b], i) => `${i ? 'L' : 'M'}${x(a).toFixed(2)} ${y(b).toFixed(2)}`)
    .join('');
}

/** A point with a text that shows when it is pointed at or focused. */
export function dot(
  frame: Frame,
  at: [number, number],
  kind: string,
  text: string,
  radius = 4,
): SVGElement {
  return svg(
    'circle',
    {
      cx: frame.x(at[0]),
      cy: frame.y(at[1]),
      r: radius,
      class: kind,
      tabindex: 0,
      'aria-label': text,
    },
    svg('title', {}, text),
  );
}

/** A chart with its key beside it, which says what lines and points mean. */
export function figure(chart: Element, caption: string, keys: [string, string][]): HTMLElement {
  const box = document.createElement('figure');
  const list = document.createElement('ul');
  list.className = 'legend';
  for (const [kind, label] of keys) {
    const item = document.createElement('li');
    const mark = document.createElement('span');
    mark.className = `key ${kind}`;
    item.append(mark, label);
    list.append(item);
  }
  const text = document.createElement('figcaption');
  text.textContent = caption;
  const row = document.createElement('div');
  row.className = 'charted';
  row.append(chart, list);
  box.append(row, text);
  return box;
}
