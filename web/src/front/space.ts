// A front of three costs: its faces in a cube that turns, by itself or as it is dragged.
import { figure } from '../charts/frame';
import { h, svg } from '../dom';
import { briefly } from '../format';
import type { Picture } from './front';
import { around, project, type Point, type Side } from './projection';
import { vertices } from './vertex';

const [width, height, size] = [760, 470, 270];

/** Every cost from its least to its most as 0 to 1. */
function shares({ front }: Picture): { points: Point[]; ranges: [number, number][] } {
  const ranges = front.costs.map((c): [number, number] => {
    const all = front.vertices.map(({ costs }) => costs[c]);
    return [Math.min(...all), Math.max(...all)];
  });
  const share = (value: number, [low, high]: [number, number]) =>
    high > low ? (value - low) / (high - low) : 0;
  const points = front.vertices.map(
    ({ costs }) => front.costs.map((c, i) => share(costs[c], ranges[i])) as Point,
  );
  return { points, ranges };
}

const axes: Point[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

export function space(picture: Picture): HTMLElement {
  const { front, names } = picture;
  const { points, ranges } = shares(picture);
  const label = `The trade-off between ${front.costs.map((c) => names[c]).join(', ')}`;
  const root = svg(
    'svg',
    {
      viewBox: `0 0 ${width} ${height}`,
      class: 'chart space',
      tabindex: 0,
      role: 'group',
      'aria-label': `${label}; arrow keys turn it`,
    },
    svg('title', {}, label),
  );
  const lines = axes.map(() => svg('line', { class: 'axis' }));
  const labels = front.costs.map((c, i) =>
    svg('text', { class: 'middle title' }, `${names[c]} ${briefly(ranges[i]).join(' – ')}`),
  );
  const faces = front.faces.map(() => svg('polygon', { class: 'face' }));
  const edges = front.edges.map(() => svg('line', { class: 'edge' }));
  const marks = vertices(picture);
  const faceGroup = svg('g', {}, ...faces);
  root.append(...lines, faceGroup, ...edges, ...marks, ...labels);

  const side: Side = { yaw: 0.7, pitch: 0.5 };
  const seen = (point: Point): Point => {
    const [x, y, depth] = project(point.map((c) => c - 0.5) as Point, side);
    return [width / 2 + size * x, height / 2 - size * y, depth];
  };
  const place = (element: Element, attributes: Record<string, number>) => {
    for (const [key, value] of Object.entries(attributes))
      element.setAttribute(key, value.toFixed(2));
  };
  const draw = () => {
    const at = points.map(seen);
    const origin = seen([0, 0, 0]);
    axes.forEach((axis, i) => {
      const end = seen(axis);
      place(lines[i], { x1: origin[0], y1: origin[1], x2: end[0], y2: end[1] });
      place(labels[i], {
        x: end[0] + 0.08 * (end[0] - origin[0]),
        y: end[1] + 0.08 * (end[1] - origin[1]),
      });
    });
    const depth = front.faces.map(
      (face) => face.reduce((sum, v) => sum + at[v][2], 0) / face.length,
    );
    front.faces.forEach((face, i) => {
      const corners = around(face.map((v) => at[v]));
      faces[i].setAttribute(
        'points',
        corners.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' '),
      );
    });
    // What is far comes first, so that what is near covers it.
    const order = faces.map((_, i) => i).sort((i, k) => depth[i] - depth[k]);
    faceGroup.append(...order.map((i) => faces[i]));
    front.edges.forEach(([a, b], i) =>
      place(edges[i], { x1: at[a][0], y1: at[a][1], x2: at[b][0], y2: at[b][1] }),
    );
    marks.forEach((mark, i) => place(mark, { cx: at[i][0], cy: at[i][1] }));
  };
  const turn = (yaw: number, pitch: number) => {
    side.yaw += yaw;
    side.pitch = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, side.pitch + pitch));
    draw();
  };

  let spinning = false;
  const spin = () => {
    if (!spinning || !root.isConnected) return;
    turn(0.006, 0);
    requestAnimationFrame(spin);
  };
  const button = h('button', { type: 'button', 'aria-pressed': 'false' }, 'Turn');
  button.addEventListener('click', () => {
    spinning = !spinning;
    button.setAttribute('aria-pressed', String(spinning));
    button.textContent = spinning ? 'Stop' : 'Turn';
    spin();
  });
  root.addEventListener('pointerdown', (down: PointerEvent) => {
    if ((down.target as Element).classList.contains('vertex')) return;
    root.setPointerCapture(down.pointerId);
    let [x, y] = [down.clientX, down.clientY];
    const move = (event: PointerEvent) => {
      turn(0.01 * (event.clientX - x), 0.01 * (event.clientY - y));
      [x, y] = [event.clientX, event.clientY];
    };
    root.addEventListener('pointermove', move);
    root.addEventListener('pointerup', () => root.removeEventListener('pointermove', move), {
      once: true,
    });
  });
  root.addEventListener('keydown', (event: KeyboardEvent) => {
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-0.1, 0],
      ArrowRight: [0.1, 0],
      ArrowUp: [0, 0.1],
      ArrowDown: [0, -0.1],
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    turn(...step);
  });
  draw();
  const box = figure(
    root,
    'Every axis goes from the least to the most of its cost among the vertices; the corner where ' +
      'they meet would be best. Drag it, or use the arrow keys, to see it from another side.',
    [['corner', 'vertex']],
  );
  box.prepend(h('div', { class: 'toolbar' }, button));
  return box;
}
