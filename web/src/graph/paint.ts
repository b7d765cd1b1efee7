// Draws the policy on a canvas, which stays quick with tens of thousands of states. States are
// discs as large as they are visited; a random choice is a pie of its chances, so that it can be
// told by shape as well as by colour.
import type { ZoomTransform } from 'd3-zoom';
import { color } from '../theme';
import type { Place } from './layout';
import { Boxes } from './boxes';
import type { Edge, Node } from './model';

export interface DrawnEdge extends Edge {
  hidden: boolean; // through states that are not shown
}

export interface Scene {
  nodes: Node[];
  places: Place[]; // of each node
  radius: number[];
  label: string[];
  fill: (string | null)[]; // null: by kind
  edges: DrawnEdge[]; // from and to are indices of nodes
  maxFlow: number;
  selected: number; // index or -1
  hovered: number;
  marked: Set<number>;
  changed: Set<number>; // choices that differ from those shown before // found by a search
}

const fewEdges = 6000; // drawn even while the picture moves
const leastLabelled = 0.28; // zoom from which on states are labelled
const labelWidth = 118; // a little less than the distance of columns
const tau = 2 * Math.PI;

interface Pen {
  context: CanvasRenderingContext2D;
  scene: Scene;
  zoom: ZoomTransform;
  visible: (place: Place) => boolean;
  dim: boolean; // all but the selected state's surroundings
}

export function paint(
  canvas: HTMLCanvasElement,
  scene: Scene,
  zoom: ZoomTransform,
  moving: boolean,
): void {
  const context = canvas.getContext('2d')!;
  const ratio = canvas.width / canvas.clientWidth || 1;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  context.translate(zoom.x, zoom.y);
  context.scale(zoom.k, zoom.k);
  const [left, top] = zoom.invert([-40, -40]);
  const [right, bottom] = zoom.invert([canvas.clientWidth + 40, canvas.clientHeight + 40]);
  const visible = ({ x, y }: Place) => x >= left && x <= right && y >= top && y <= bottom;
  const pen: Pen = { context, scene, zoom, visible, dim: scene.selected >= 0 };
  if (!moving || scene.edges.length <= fewEdges) drawEdges(pen, { left, right, top, bottom });
  drawNodes(pen);
  drawLabels(pen);
}

function touches(scene: Scene, edge: Edge): boolean {
  return edge.from === scene.selected || edge.to === scene.selected;
}

function edgeWidth(scene: Scene, flow: number): number {
  return 0.7 + 5 * Math.sqrt(flow / scene.maxFlow);
}

/** The edge's curve: forward an S, backward and within a column an arc around the others. */
function trace(context: CanvasRenderingContext2D, from: Place, to: Place, radius: number): void {
  context.moveTo(from.x, from.y);
  if (from === to) {
    context.bezierCurveTo(
      from.x - 2.6 * radius - 8,
      from.y - 3 * radius - 14,
      from.x + 2.6 * radius + 8,
      from.y - 3 * radius - 14,
      to.x,
      to.y,
    );
  } else if (to.x > from.x) {
    const middle = (from.x + to.x) / 2;
    context.bezierCurveTo(middle, from.y, middle, to.y, to.x, to.y);
  } else {
    const lift = 26 + 0.18 * Math.hypot(to.x - from.x, to.y - from.y);
    context.bezierCurveTo(from.x + 30, from.y + lift, to.x - 30, to.y + lift, to.x, to.y);
  }
}

function drawEdges(
  { context, scene, zoom, dim }: Pen,
  box: { left: number; right: number; top: number; bottom: number },
): void {
  const plain = color('edge');
  const strong = color('ink');
  const many = scene.edges.length > fewEdges;
  const outside = (a: Place, b: Place) =>
    Math.max(a.x, b.x) < box.left ||
    Math.min(a.x, b.x) > box.right ||
    Math.max(a.y, b.y) < box.top - 100 ||
    Math.min(a.y, b.y) > box.bottom + 100;
  context.lineCap = 'round';
  if (many) context.globalAlpha = 0.35;
  for (const edge of scene.edges) {
    const [from, to] = [scene.places[edge.from], scene.places[edge.to]];
    if (outside(from, to)) continue;
    const near = dim && touches(scene, edge);
    context.beginPath();
    trace(context, from, to, scene.radius[edge.from]);
    context.strokeStyle = near ? strong : plain;
    if (!many) context.globalAlpha = dim && !near ? 0.45 : near ? 0.85 : 1;
    context.lineWidth = edge.hidden ? 1.2 / Math.min(1, zoom.k) : edgeWidth(scene, edge.flow);
    context.setLineDash(edge.hidden ? [4, 5] : []);
    context.stroke();
    if (zoom.k > 0.45 && from !== to && !many) arrow(context, edge, scene);
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
}

function arrow(context: CanvasRenderingContext2D, edge: DrawnEdge, scene: Scene): void {
  const [from, to] = [scene.places[edge.from], scene.places[edge.to]];
  const size = 4 + (edge.hidden ? 0 : 0.8 * edgeWidth(scene, edge.flow));
  const forward = to.x > from.x;
  // Curves arrive horizontally, arcs from below.
  const angle = forward ? 0 : Math.atan2(-26, 30);
  const reach = scene.radius[edge.to] + 1.5;
  const [x, y] = [to.x - reach * Math.cos(angle), to.y - reach * Math.sin(angle)];
  context.save();
  context.translate(x, y);
  context.rotate(angle);
  context.beginPath();
  context.moveTo(0, 0);
  context.lineTo(-1.7 * size, -size * 0.75);
  context.lineTo(-1.7 * size, size * 0.75);
  context.fillStyle = context.strokeStyle;
  context.fill();
  context.restore();
}

function isNear(scene: Scene, i: number, near: Set<number>): boolean {
  return i === scene.selected || near.has(i);
}

function drawNodes({ context, scene, zoom, visible, dim }: Pen): void {
  const colors = {
    start: color('blue'),
    state: color('blue'),
    goal: color('green'),
    'given-up': color('muted'),
  };
  const [paper, mark, chance] = [color('surface'), color('mark'), color('orange')];
  const chosen = color('purple');
  const near = new Set<number>();
  if (dim)
    for (const edge of scene.edges) if (touches(scene, edge)) near.add(edge.from).add(edge.to);
  // However far one zooms out, a state is at least a speck.
  const least = (scene.nodes.length > 5000 ? 0.8 : 1.4) / zoom.k;
  scene.nodes.forEach((node, i) => {
    const place = scene.places[i];
    if (!visible(place)) return;
    const r = Math.max(scene.radius[i], least);
    context.globalAlpha = dim && !isNear(scene, i, near) ? 0.45 : 1;
    context.fillStyle = scene.fill[i] ?? (node.stochastic ? chance : colors[node.kind]);
    context.beginPath();
    context.arc(place.x, place.y, r, 0, tau);
    context.fill();
    if (r * zoom.k > 3) ornament(context, node, place, r, paper, chance, scene.fill[i]);
    if (scene.changed.has(i)) ring(context, place, r + 5 / zoom.k, chosen, 3 / zoom.k);
    if (scene.marked.has(i)) ring(context, place, r + 3 / zoom.k, mark, 2.5 / zoom.k);
    if (i === scene.hovered || i === scene.selected)
      ring(
        context,
        place,
        r + 3.5 / Math.min(1, zoom.k),
        color('ink'),
        (i === scene.selected ? 2.5 : 1.2) / zoom.k,
      );
  });
  context.globalAlpha = 1;
}

function ring(
  context: CanvasRenderingContext2D,
  at: Place,
  r: number,
  stroke: string,
  width: number,
): void {
  context.beginPath();
  context.arc(at.x, at.y, r, 0, tau);
  context.strokeStyle = stroke;
  context.lineWidth = width;
  context.stroke();
}

/** What tells the kinds of states apart without colour. */
function ornament(
  context: CanvasRenderingContext2D,
  node: Node,
  at: Place,
  r: number,
  paper: string,
  chance: string,
  fill: string | null,
): void {
  if (node.stochastic) {
    let angle = -tau / 4;
    node.choices.forEach(([, probability], k) => {
      const end = angle + tau * probability;
      context.beginPath();
      context.moveTo(at.x, at.y);
      context.arc(at.x, at.y, r, angle, end);
      context.closePath();
      // A colour that means something else is kept, and the slices are only drawn.
      context.fillStyle = fill ?? (k % 2 === 0 ? chance : paper);
      context.fill();
      context.strokeStyle = paper;
      context.lineWidth = Math.max(1, r * 0.1);
      if (fill) context.stroke();
      angle = end;
    });
    ring(context, at, r, chance, Math.max(1.4, r * 0.16));
  } else if (node.kind === 'goal') {
    ring(context, at, r * 0.66, paper, Math.max(1, r * 0.14));
  } else if (node.kind === 'given-up') {
    const d = r * 0.42;
    context.beginPath();
    context.moveTo(at.x - d, at.y - d);
    context.lineTo(at.x + d, at.y + d);
    context.moveTo(at.x + d, at.y - d);
    context.lineTo(at.x - d, at.y + d);
    context.strokeStyle = paper;
    context.lineWidth = Math.max(1, r * 0.2);
    context.stroke();
  }
  if (node.kind === 'start') {
    context.beginPath();
    const d = r * 0.45;
    context.moveTo(at.x - d * 0.7, at.y - d);
    context.lineTo(at.x + d, at.y);
    context.lineTo(at.x - d * 0.7, at.y + d);
    context.fillStyle = node.stochastic ? color('ink') : paper;
    context.fill();
  }
}

/** Texts where there is room for them: sized on the screen, not in the picture. */
function drawLabels({ context, scene, zoom, visible, dim }: Pen): void {
  const size = 11.5 / zoom.k;
  const everywhere = zoom.k >= leastLabelled && scene.nodes.length < 4000;
  context.font = `${size}px system-ui, sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'top';
  context.lineJoin = 'round';
  context.lineWidth = 3.5 / zoom.k;
  context.strokeStyle = color('surface');
  context.fillStyle = color('ink');
  const taken = new Boxes(60 / zoom.k);
  const draw = (i: number, chosen: boolean) => {
    if (!visible(scene.places[i])) return;
    const { x, y, room } = scene.places[i];
    const most = chosen ? 2 : Math.min(2, Math.floor(room / (1.15 * size)));
    if (most <= 0) return;
    const texts = lines(context, scene.label[i], chosen ? 240 / zoom.k : labelWidth).slice(0, most);
    const top = y + scene.radius[i] + 3 / zoom.k;
    const half = Math.max(...texts.map((line) => context.measureText(line).width)) / 2;
    const box = { left: x - half, right: x + half, top, bottom: top + 1.15 * texts.length * size };
    if (!taken.take(box)) return;
    context.globalAlpha = dim && !chosen ? 0.6 : 1;
    texts.forEach((line, k) => {
      context.strokeText(line, x, top + 1.15 * k * size);
      context.fillText(line, x, top + 1.15 * k * size);
    });
  };
  // No label lies on a state, nor on another label: those of states that are visited more come
  // first, and before all others the ones that are pointed at, which are longer.
  const chosen = [...new Set([scene.selected, scene.hovered])].filter((i) => i >= 0);
  for (const i of chosen) draw(i, true);
  if (everywhere) {
    scene.nodes.forEach((_, i) => {
      const [{ x, y }, r] = [scene.places[i], 0.8 * scene.radius[i]];
      if (visible(scene.places[i]))
        taken.add({ left: x - r, right: x + r, top: y - r, bottom: y + r });
    });
    for (const i of byVisits(scene)) if (!chosen.includes(i)) draw(i, false);
  }
  context.globalAlpha = 1;
}

const orders = new WeakMap<Scene, number[]>();

function byVisits(scene: Scene): number[] {
  let order = orders.get(scene);
  if (!order) {
    order = scene.nodes.map((_, i) => i);
    order.sort((a, b) => scene.nodes[b].visits - scene.nodes[a].visits || a - b);
    orders.set(scene, order);
  }
  return order;
}

/** At most two lines that are not wider than this, if words allow; what is too long is cut. */
function lines(context: CanvasRenderingContext2D, text: string, width: number): string[] {
  const fits = (line: string) => context.measureText(line).width <= width;
  if (fits(text)) return [text];
  const words = text.split(' ');
  let first = words.shift()!;
  while (words.length > 0 && fits(`${first} ${words[0]}`)) first += ` ${words.shift()}`;
  return [first, words.join(' ')].filter(Boolean).map((line) => {
    if (fits(line)) return line;
    let length = line.length - 1;
    while (length > 3 && !fits(`${line.slice(0, length)}…`)) --length;
    return `${line.slice(0, length)}…`;
  });
}
