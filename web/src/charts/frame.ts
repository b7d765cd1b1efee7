// Axes, grid and labels of a chart. Charts are SVG, so that they print and scale well.
import { scaleLinear, type ScaleLinear } from 'd3-scale';
import { svg } from '../dom';
import { brief } from '../format';

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
  grid?: boolean;
}

const margin = { left: 62, right: 18, top: 14, bottom: 46 };
let frames = 0;

/** Names from a model can be longer than an axis. */
const fitting = (text: string) => (text.length > 56 ? `${text.slice(0, 55)}…` : text);

/** A domain that is not empty, with some air. */
export function padded([low, high]: [number, number], share = 0.06): [number, number] {
  const span = high - low || Math.abs(high) || 1;
  return [low - share * span, high + share * span];
}

export function frame(options: FrameOptions): Frame {
  const [width, height] = options.tall ? [480, 440] : [760, 330];
  const right = width - margin.right;
  const bottom = height - margin.bottom;
  const x = scaleLinear(options.x, [margin.left, right]);
  const y = scaleLinear(options.y, [bottom, margin.top]);
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
        x: margin.left,
        y: margin.top,
        width: right - margin.left,
        height: bottom - margin.top,
      }),
    ),
  );
  const axes = svg('g', { class: 'axes' });
  const xTick = options.xTick ?? brief;
  // Times have units, which take room.
  for (const tick of x.ticks(options.xTick ? 4 : 6)) {
    if (options.grid !== false)
      axes.append(svg('line', { x1: x(tick), x2: x(tick), y1: margin.top, y2: bottom }));
    axes.append(svg('text', { x: x(tick), y: bottom + 18, class: 'middle' }, xTick(tick)));
  }
  for (const tick of y.ticks(6)) {
    if (options.grid !== false)
      axes.append(svg('line', { x1: margin.left, x2: right, y1: y(tick), y2: y(tick) }));
    axes.append(svg('text', { x: margin.left - 8, y: y(tick) + 4, class: 'end' }, brief(tick)));
  }
  axes.append(
    svg(
      'text',
      { x: (margin.left + right) / 2, y: height - 8, class: 'middle title' },
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

/** The key below a chart: what lines and points mean. */
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
  box.append(chart, list, text);
  return box;
}
