// The policy as a picture that can be moved, zoomed, searched and filtered, with the details of one
// state beside it.
import { quadtree, type Quadtree } from 'd3-quadtree';
import { h } from '../dom';
import { count, digits } from '../format';
import { onThemeChange } from '../theme';
import { Camera } from './camera';
import { colouring } from './colours';
import { Controls } from './controls';
import { details, noDetails } from './details';
import { select, type Selection } from './filter';
import { hiddenLinks } from './hidden_links';
import { Listing } from './listing';
import { isEnd, type PolicyGraph } from './model';
import { paint, type DrawnEdge, type Scene } from './paint';
import { stableLayout, type KeptPlaces } from './stable_layout';

const mostAtFirst = 1500;
const smallestRadius = 7;
const largestRadius = 20;

const mostVisits = (graph: PolicyGraph) =>
  graph.nodes.reduce((most, { visits }) => Math.max(most, visits), 0) || 1;

/** "18 states and 2 goals": a goal is no state that one could be in for long. */
function population(states: number, goals: number): string {
  const parts = [count(states, 'state')];
  if (goals > 0) parts.push(count(goals, 'goal'));
  return parts.join(' and ');
}

export class PolicyView {
  readonly element: HTMLElement;
  private readonly canvas = h('canvas', {
    tabindex: 0,
    id: 'graph',
    role: 'application',
    'aria-label': 'The policy as a graph. Arrow keys move between states.',
    'aria-describedby': 'announcement',
  });
  private readonly panel = h('aside', {
    id: 'details',
    tabindex: -1,
    'aria-label': 'Details of a state',
  });
  private readonly shownText = h('p', { id: 'shown', class: 'shown', role: 'status' });
  private readonly announcement = h('p', {
    id: 'announcement',
    class: 'unseen',
    'aria-live': 'polite',
  });
  private readonly legend = h('ul', { class: 'legend' });
  private listing: Listing;
  private controls: Controls;
  private readonly camera: Camera;

  private selection: Selection = { shown: [], passed: 0, passedGoals: 0 };
  private scene!: Scene;
  private index = new Map<number, number>(); // state -> its place in the scene
  private tree!: Quadtree<number>;
  private selected = -1; // a state
  private found: number[] = [];
  private readonly extra = new Set<number>();
  private maxVisits: number;
  private pending = false;
  private readonly kept: KeptPlaces = new Map(); // of states that have been shown
  private changed = new Set<string>();
  private readonly observer = new ResizeObserver(() => this.resize());
  private readonly endTheme: () => void;

  constructor(private graph: PolicyGraph) {
    this.maxVisits = mostVisits(graph);
    this.controls = this.newControls();
    this.camera = new Camera(this.canvas, () => this.draw());
    this.listing = new Listing(graph, (id) => this.choose(id));
    this.element = this.build();
    this.listen();
    this.panel.append(...noDetails());
    this.rebuild();
    this.observer.observe(this.canvas);
    this.endTheme = onThemeChange(() => this.draw());
  }

  /** Lets go of the page, so that another view can take its place. */
  dispose(): void {
    this.controls.dispose();
    this.observer.disconnect();
    this.endTheme();
  }

  private newControls(): Controls {
    return new Controls(this.graph, mostAtFirst, {
      search: (text) => this.search(text),
      nextMatch: (backwards) => this.nextMatch(backwards),
      filter: () => this.refilter(),
      colour: () => this.recolour(),
      zoomBy: (factor) => this.camera.zoomBy(factor),
      fit: () => this.fit(),
      leave: () => this.canvas.focus(),
    });
  }

  /** Shows another policy of the same problem in the place of this one: states that stay keep their
   *  places, and those of these names are marked. */
  update(graph: PolicyGraph, changed: Set<string>): void {
    const name = this.selected >= 0 ? this.graph.name(this.selected) : undefined;
    const { controls, listing } = this;
    this.graph = graph;
    this.changed = changed;
    this.maxVisits = mostVisits(graph);
    this.found = [];
    this.extra.clear();
    this.selected = name === undefined ? -1 : graph.find(name);
    this.controls = this.newControls();
    this.controls.takeOver(controls);
    controls.dispose();
    controls.element.replaceWith(this.controls.element);
    controls.zoom.replaceWith(this.controls.zoom);
    this.listing = new Listing(graph, (id) => this.choose(id));
    listing.element.replaceWith(this.listing.element);
    if (this.selected >= 0) this.extra.add(this.selected);
    this.rebuild(true);
    if (name !== undefined) this.choose(this.selected);
  }

  /** Selects a state by its name; false if the page does not have it. */
  select(name: string): boolean {
    const id = this.graph.find(name);
    if (id >= 0) this.choose(id);
    return id >= 0;
  }

  private build(): HTMLElement {
    const { policy, nodes } = this.graph;
    const goals = nodes.filter(isEnd).length;
    const left = policy.total_states - (nodes.length - goals);
    const leftGoals = policy.total_goals - goals;
    const lead =
      left > 0 || leftGoals > 0
        ? `This page has the ${population(nodes.length - goals, goals)} that are visited most … ` +
          `and ${population(left, leftGoals)} more are left out.`
        : null;
    return h(
      'div',
      {},
      lead ? h('p', { class: 'lead' }, lead) : null,
      this.controls.element,
      this.shownText,
      h(
        'div',
        { class: `stage ${this.graph.nodes.length < 40 ? 'small' : ''}` },
        h('div', { class: 'picture' }, this.canvas, this.controls.zoom),
        this.panel,
      ),
      this.legend,
      this.announcement,
      this.listing.element,
    );
  }

  // --- what is shown ----------------------------------------------------------------------------

  private refilter(): void {
    this.extra.clear();
    if (this.selected >= 0) this.extra.add(this.selected);
    this.rebuild();
  }

  private rebuild(keep = false): void {
    const { graph, controls } = this;
    this.selection = select(graph, {
      minVisits: controls.minVisits,
      schema: controls.chosenSchema,
      stochasticOnly: controls.stochasticOnly,
      most: controls.most,
      extra: this.extra,
    });
    const { shown } = this.selection;
    this.index = new Map(shown.map((id, i) => [id, i]));
    const nodes = shown.map((id) => graph.nodes[id]);
    const edges = this.edgesBetween(shown);
    const radius = nodes.map(
      ({ visits }) =>
        smallestRadius + (largestRadius - smallestRadius) * Math.sqrt(visits / this.maxVisits),
    );
    const { places, fresh } = stableLayout(
      shown.map((id) => graph.name(id)),
      {
        depth: nodes.map(({ depth }) => depth),
        radius,
        edges,
        aspect: (this.canvas.clientHeight || 470) / (this.canvas.clientWidth || 850),
      },
      this.kept,
      keep,
    );
    this.scene = {
      nodes,
      radius,
      edges,
      places,
      label: shown.map((id) => graph.label(id)),
      fill: [],
      maxFlow: edges.reduce((most, { flow }) => Math.max(most, flow), 0) || 1,
      selected: -1,
      hovered: -1,
      marked: new Set(),
      changed: new Set(nodes.flatMap(({ id }, i) => (this.changed.has(graph.name(id)) ? [i] : []))),
    };
    this.tree = quadtree<number>()
      .x((i) => this.scene.places[i].x)
      .y((i) => this.scene.places[i].y)
      .addAll(nodes.map((_, i) => i));
    this.mark();
    this.recolour();
    this.describe();
    if (fresh) this.fit(true);
  }

  private edgesBetween(shown: number[]): DrawnEdge[] {
    const edges: DrawnEdge[] = [];
    for (const id of shown)
      for (const { from, to, flow } of this.graph.nodes[id].out)
        if (this.index.has(to))
          edges.push({ from: this.index.get(from)!, to: this.index.get(to)!, flow, hidden: false });
    for (const [from, to] of hiddenLinks(this.graph, shown))
      edges.push({ from: this.index.get(from)!, to: this.index.get(to)!, flow: 0, hidden: true });
    return edges;
  }

  private describe(): void {
    const { shown, passed, passedGoals } = this.selection;
    const { most } = this.controls;
    const { nodes } = this.graph;
    const goals = nodes.filter(isEnd).length;
    const filtered =
      passed + passedGoals < nodes.length
        ? `${population(passed, passedGoals)} of ${population(nodes.length - goals, goals)} pass the filters`
        : '';
    const drawnGoals = shown.filter((id) => isEnd(nodes[id])).length;
    const rest = passed - (shown.length - drawnGoals);
    const summarised =
      passed + passedGoals > most
        ? `The most visited ${population(shown.length - drawnGoals, drawnGoals)} are drawn … and ${digits(rest)} more states are not`
        : '';
    const dashed = this.scene.edges.some(({ hidden }) => hidden)
      ? 'Dashed lines lead through hidden states'
      : '';
    this.shownText.textContent =
      [filtered, summarised, dashed].filter(Boolean).join('. ') || this.everything();
    this.listing.show(shown);
  }

  private everything(): string {
    const goals = this.graph.nodes.filter(isEnd).length;
    const states = this.graph.nodes.length - goals;
    return `All ${population(states, goals)} are shown.`;
  }

  private recolour(): void {
    const { fill, legend } = colouring(this.graph, this.controls.colour);
    this.scene.fill = this.selection.shown.map(fill);
    this.legend.replaceChildren(...legend);
    this.draw();
  }

  // --- search and selection ---------------------------------------------------------------------

  private search(text: string): void {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    this.found = words.length
      ? this.graph.nodes.filter(({ id }) => this.graph.matches(id, words)).map(({ id }) => id)
      : [];
    this.controls.sayMatches(
      words.length
        ? `${count(this.found.length, 'match').replace('matchs', 'matches')} · Enter`
        : '',
    );
    this.mark();
    this.draw();
  }

  private nextMatch(backwards: boolean): void {
    if (this.found.length === 0) return;
    const at = this.found.indexOf(this.selected);
    const step = backwards ? -1 : 1;
    const next = at < 0 ? 0 : (at + step + this.found.length) % this.found.length;
    this.controls.sayMatches(`${next + 1} of ${digits(this.found.length)} · Enter`);
    this.choose(this.found[next]);
  }

  private mark(): void {
    const indices = this.found.map((id) => this.index.get(id)).filter((i) => i !== undefined);
    this.scene.marked = new Set(indices as number[]);
    this.scene.selected = this.index.get(this.selected) ?? -1;
  }

  private choose(id: number): void {
    this.selected = id;
    if (id >= 0 && !this.index.has(id)) {
      this.extra.add(id);
      this.rebuild();
    }
    this.mark();
    if (id >= 0) {
      this.panel.replaceChildren(...details(this.graph, id, (other) => this.choose(other)));
      this.panel.scrollTop = 0;
      this.announcement.textContent = `${this.graph.name(id)}. ${this.graph.label(id)}`;
      this.camera.reveal(this.scene.places[this.scene.selected]);
    } else {
      this.panel.replaceChildren(...noDetails());
      this.announcement.textContent = '';
    }
    this.draw();
  }

  // --- moving about -----------------------------------------------------------------------------

  private fit(atFirst = false): void {
    this.camera.fit(this.scene.places, this.scene.radius, atFirst);
  }

  private resize(): void {
    const ratio = Math.min(2, devicePixelRatio || 1);
    this.canvas.width = Math.round(this.canvas.clientWidth * ratio);
    this.canvas.height = Math.round(this.canvas.clientHeight * ratio);
    if (this.camera.touched) this.draw();
    else this.fit(true);
  }

  private at(x: number, y: number): number {
    const { transform } = this.camera;
    const [px, py] = transform.invert([x, y]);
    const reach = Math.max(largestRadius, 8 / transform.k);
    const i = this.tree.find(px, py, reach);
    if (i === undefined) return -1;
    const { x: nx, y: ny } = this.scene.places[i];
    const near = Math.max(this.scene.radius[i] + 2, 7 / transform.k);
    return Math.hypot(nx - px, ny - py) <= near ? i : -1;
  }

  private listen(): void {
    const { canvas } = this;
    canvas.addEventListener('click', (event) => {
      canvas.focus({ preventScroll: true });
      const i = this.at(event.offsetX, event.offsetY);
      this.choose(i < 0 ? -1 : this.scene.nodes[i].id);
    });
    canvas.addEventListener('pointermove', (event) => {
      const i = this.at(event.offsetX, event.offsetY);
      if (i === this.scene.hovered) return;
      this.scene.hovered = i;
      canvas.classList.toggle('over', i >= 0);
      this.draw();
    });
    canvas.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !this.press(event.key)) return;
      event.preventDefault();
    });
  }

  private press(key: string): boolean {
    const node = this.graph.nodes[this.selected];
    const step = (target: number | undefined) => {
      if (target !== undefined) this.choose(target);
    };
    switch (key) {
      case 'Home':
        step(0);
        break;
      case 'ArrowRight':
        step(node ? node.out.find(({ to }) => to !== node.id && this.index.has(to))?.to : 0);
        break;
      case 'ArrowLeft': {
        const edges = (node?.in ?? []).filter(
          ({ from }) => from !== node.id && this.index.has(from),
        );
        step(node ? edges.sort((a, b) => b.flow - a.flow)[0]?.from : 0);
        break;
      }
      case 'ArrowUp':
        step(node ? this.inColumn(-1) : 0);
        break;
      case 'ArrowDown':
        step(node ? this.inColumn(1) : 0);
        break;
      case 'Enter':
        this.panel.focus();
        break;
      case 'Escape':
        this.choose(-1);
        break;
      case '+':
      case '=':
        this.camera.zoomBy(1.4);
        break;
      case '-':
        this.camera.zoomBy(1 / 1.4);
        break;
      case '0':
        this.fit();
        break;
      default:
        return false;
    }
    return true;
  }

  /** The next state above or below in the same column. */
  private inColumn(direction: number): number | undefined {
    const { places, nodes, selected } = this.scene;
    let best: number | undefined;
    places.forEach(({ x, y }, i) => {
      if (x !== places[selected].x || (y - places[selected].y) * direction <= 0) return;
      if (best === undefined || (places[best].y - y) * direction > 0) best = i;
    });
    return best === undefined ? undefined : nodes[best].id;
  }

  // --- drawing ----------------------------------------------------------------------------------

  private draw(): void {
    if (this.pending || !this.scene) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      const wait = this.camera.moving();
      paint(this.canvas, this.scene, this.camera.transform, wait > 0);
      if (wait > 0) setTimeout(() => this.draw(), wait + 5);
    });
  }

  /** For those who drive the page from outside. */
  api() {
    return {
      shown: () => [...this.selection.shown],
      selected: () => this.selected,
      position: (id: number) => this.camera.onScreen(this.scene.places[this.index.get(id)!]),
      scale: () => this.camera.transform.k,
    };
  }
}
