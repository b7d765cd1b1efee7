// One budget: how much of it is used, a slider with the exact trade-off curve under it, the price of
// one more unit, and how single runs spread.
import { scaleLinear } from 'd3-scale';
import { histogram } from '../charts/histogram';
import type { SweepCurve as Sweep } from '../data';
import { h, svg } from '../dom';
import { brief, number, percent } from '../format';
import type { Cost, Runs } from './api';
import { corners, kinks, priceAt, roundUp, snapped, valueAt } from './curve_value';

export interface BudgetWishes {
  /** While it is being moved, and once it has been. */
  move: (name: string, bound: number | null) => void;
  settle: () => void;
}

const [width, height, inset] = [340, 112, 10]; // of the curve; the slider's thumb needs the inset
const snapReach = 0.012; // of the range
const steps = 400;

export class Budget {
  readonly element: HTMLElement;
  private readonly value = h('span', { class: 'figure' });
  private readonly fill = h('div', { class: 'fill' });
  private readonly gauge: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly field: HTMLInputElement;
  private readonly lifted: HTMLInputElement;
  private readonly price = h('p', { class: 'price' });
  private readonly chart = svg('svg', {
    viewBox: `0 0 ${width} ${height}`,
    class: 'chart curve',
    role: 'img',
  });
  private readonly often = h('div', { class: 'often' });
  private readonly snap: HTMLButtonElement[];
  private bound: number | null = null;
  private before = 0; // the bound to come back to when it is no longer lifted
  private range = 1;
  private sweep?: Sweep;
  private stale = true;
  private pointing = false;

  constructor(
    readonly cost: Cost,
    private readonly primary: string,
    private readonly wishes: BudgetWishes,
  ) {
    const id = `budget-${cost.name.replace(/[^A-Za-z0-9]+/g, '-')}`;
    this.slider = h('input', {
      type: 'range',
      id,
      min: 0,
      max: steps,
      step: 'any',
      'aria-label': `Budget of ${cost.label}`,
    });
    this.field = h('input', {
      type: 'text',
      inputmode: 'decimal',
      class: 'typed',
      'aria-label': `Budget of ${cost.label}, typed`,
      autocomplete: 'off',
    });
    this.lifted = h('input', { type: 'checkbox', id: `${id}-lift` });
    this.gauge = h(
      'div',
      { class: 'gauge', role: 'meter', 'aria-label': `${cost.label} used`, 'aria-valuemin': 0 },
      this.fill,
    );
    const kink = (step: number, text: string, name: string) =>
      h(
        'button',
        {
          type: 'button',
          class: 'quiet',
          title: name,
          'aria-label': `${name} of ${cost.label}`,
          onclick: () => this.toKink(step),
        },
        text,
      );
    this.snap = [kink(-1, '◂', 'Previous corner'), kink(1, '▸', 'Next corner')];
    this.element = this.build();
    this.listen();
  }

  private build(): HTMLElement {
    const { cost } = this;
    return h(
      'article',
      { class: 'card budget', 'data-cost': cost.name },
      h('div', { class: 'row' }, h('h3', {}, `expected ${cost.label}`), this.value),
      this.gauge,
      h(
        'div',
        { class: 'row controls' },
        h('label', { class: 'bound' }, h('span', {}, 'at most'), this.field),
        ...this.snap,
        h('label', { class: 'check', for: this.lifted.id }, this.lifted, 'no limit'),
      ),
      h('div', { class: 'track' }, this.slider),
      this.chart,
      this.price,
      this.often,
    );
  }

  private listen(): void {
    this.slider.addEventListener('pointerdown', () => (this.pointing = true));
    addEventListener('pointerup', () => (this.pointing = false));
    this.slider.addEventListener('input', () => {
      const raw = (Number(this.slider.value) / steps) * this.range;
      // By keyboard one gets past a corner; by hand it holds the thumb for a moment.
      const value = this.pointing
        ? snapped(raw, this.kinks(), snapReach * this.range)
        : Number(raw.toPrecision(12));
      this.take(this.tidy(value));
    });
    this.slider.addEventListener('keydown', (event) => {
      const step = { PageUp: 1, PageDown: -1 }[event.key];
      if (step === undefined && !['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].includes(event.key))
        return;
      event.preventDefault();
      if (step !== undefined) this.toKink(step);
      else {
        const by = (event.key === 'ArrowRight' || event.key === 'ArrowUp' ? 1 : -1) * this.step();
        const now = this.bound ?? this.range;
        const next = Math.round((now + by) / this.step()) * this.step();
        this.take(Math.min(this.range, Math.max(0, this.tidy(next))));
        this.wishes.settle();
      }
    });
    this.slider.addEventListener('change', () => this.wishes.settle());
    const typed = () => {
      const text = this.field.value.trim().replace(',', '.');
      const wanted = Number(text);
      const isNumber = text !== '' && Number.isFinite(wanted) && wanted >= 0;
      this.field.setAttribute('aria-invalid', String(!isNumber));
      if (!isNumber) return;
      if (wanted === this.bound) return;
      if (wanted > this.range) this.setRange(roundUp(1.2 * wanted));
      this.take(wanted);
      this.wishes.settle();
    };
    this.field.addEventListener('change', typed);
    this.field.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') typed();
    });
    this.lifted.addEventListener('change', () => {
      this.take(this.lifted.checked ? null : this.before);
      this.wishes.settle();
    });
  }

  /** One press of an arrow key: a round number near a hundredth of the range. */
  private step(): number {
    const power = 10 ** Math.floor(Math.log10(this.range / 100));
    return [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= this.range / 100)!;
  }

  /** As many digits as a pixel is worth; corners are exact. */
  private tidy(value: number): number {
    if (this.kinks().includes(value)) return value;
    const digits = Math.max(0, 3 - Math.floor(Math.log10(this.range)));
    return Number(value.toFixed(Math.min(12, digits)));
  }

  private kinks(): number[] {
    return this.sweep && !this.stale ? kinks(this.sweep) : [];
  }

  private toKink(step: number): void {
    const now = this.bound ?? Infinity;
    const slack = 1e-9 * this.range;
    const all = this.kinks();
    const next =
      step > 0 ? all.find((at) => at > now + slack) : all.filter((at) => at < now - slack).at(-1);
    if (next === undefined) return;
    this.take(next);
    this.wishes.settle();
  }

  private take(bound: number | null): void {
    this.wishes.move(this.cost.name, bound);
  }

  private setRange(range: number): void {
    this.range = range;
    this.place();
    this.draw();
  }

  get end(): number {
    return this.range;
  }

  /** Makes room for the bound, for what is used, and for where the curve ends. */
  fitRange(...values: (number | null | undefined)[]): void {
    const most = Math.max(0, ...values.map((value) => value ?? 0));
    this.range = roundUp(1.15 * most);
    this.place();
  }

  show(bound: number | null): void {
    if (bound !== null) this.before = bound;
    this.bound = bound;
    if (bound !== null && bound > this.range) this.range = roundUp(1.2 * bound);
    this.place();
    this.draw();
  }

  private place(): void {
    const { bound } = this;
    this.lifted.checked = bound === null;
    this.slider.value = String(((bound ?? this.range) / this.range) * steps);
    this.slider.classList.toggle('lifted', bound === null);
    this.slider.setAttribute('aria-valuetext', bound === null ? 'no limit' : number(bound));
    if (document.activeElement !== this.field || bound === null || Number(this.field.value) !== bound)
      this.field.value = bound === null ? '∞' : String(Number(bound.toPrecision(9)));
    this.field.removeAttribute('aria-invalid');
  }

  /** What is used of it; undefined if nobody knows. */
  use(value: number | undefined, isEstimate: boolean): void {
    const { bound } = this;
    this.value.replaceChildren(
      value === undefined ? '–' : `${isEstimate ? '≈ ' : ''}${number(isEstimate ? Number(value.toPrecision(4)) : value)}`,
      h('small', {}, bound === null ? ' no limit' : ` of ${number(bound)}`),
    );
    const whole = bound ?? this.range;
    const share = value === undefined ? 0 : whole > 0 ? value / whole : value > 0 ? 1 : 0;
    this.fill.style.width = `${Math.min(100, 100 * share)}%`;
    this.gauge.classList.toggle('tight', bound !== null && share > 1 - 1e-6);
    this.gauge.setAttribute('aria-valuemax', String(whole));
    this.gauge.setAttribute('aria-valuenow', String(value ?? 0));
    this.gauge.setAttribute('aria-valuetext', `${percent(Math.min(1, share))} of the budget`);
  }

  /** The price as it is certified, or as the curve has it. */
  showPrice(multiplier: number | undefined): void {
    const { bound, sweep } = this;
    const price =
      multiplier ?? (sweep && !this.stale && bound !== null ? priceAt(sweep, bound) : undefined);
    this.price.textContent =
      bound === null
        ? 'Without a limit it has no price.'
        : price === undefined
          ? '\u00a0'
          : price > 1e-12
            ? `One more unit saves up to ${number(price)} ${this.primary}.`
            : `More of it would save no ${this.primary}.`;
  }

  /** Cost and whether it is possible, by the curve; undefined if it does not say. */
  curveValue(bound: number | null): number | undefined {
    if (!this.sweep || this.stale) return undefined;
    return valueAt(this.sweep, bound ?? Infinity);
  }

  setCurve(sweep: Sweep): void {
    this.sweep = sweep;
    this.stale = false;
    this.draw();
  }

  /** Other budgets have moved: the curve is that of before. */
  outdate(): void {
    this.stale = true;
    this.chart.classList.add('stale');
  }

  get isStale(): boolean {
    return this.stale;
  }

  private draw(): void {
    const { sweep, chart, bound } = this;
    chart.classList.toggle('stale', this.stale);
    const label = `The optimal ${this.primary} as the budget of ${this.cost.label} varies`;
    const x = scaleLinear([0, this.range], [inset, width - inset]);
    const top = 8;
    const bottom = height - 18;
    const parts: SVGElement[] = [svg('title', {}, label)];
    chart.setAttribute('aria-label', label);
    const points = sweep ? corners(sweep) : [];
    const slackFrom = sweep?.slack_above;
    if (points.length > 0 && typeof slackFrom === 'number')
      points.push([Math.max(this.range, points.at(-1)![0]), points.at(-1)![1]]);
    const heights = points.filter(([at]) => at <= this.range).map(([, y]) => y);
    const [low, high] = [Math.min(...heights), Math.max(...heights)];
    const y = scaleLinear([low, high > low ? high : low + 1], [bottom - 3, top + 3]);
    const least = sweep?.infeasible_below;
    const nothing = sweep && points.length === 0;
    if (nothing || (typeof least === 'number' && least > 0)) {
      const right = nothing ? width - inset : x(Math.min(least as number, this.range));
      parts.push(
        svg('rect', { class: 'infeasible', x: inset, y: top, width: right - inset, height: bottom - top },
          svg('title', {}, nothing ? 'no policy' : `Below ${number(least)} there is no policy`)),
      );
      if (right - inset > 60)
        parts.push(svg('text', { x: (inset + right) / 2, y: (top + bottom) / 2 + 4, class: 'middle no' }, 'infeasible'));
    }
    for (const tick of x.ticks(5))
      parts.push(
        svg('line', { class: 'tick', x1: x(tick), x2: x(tick), y1: bottom, y2: bottom + 4 }),
        svg('text', { x: x(tick), y: height - 3, class: 'middle' }, brief(tick)),
      );
    parts.push(svg('line', { class: 'tick', x1: inset, x2: width - inset, y1: bottom, y2: bottom }));
    if (points.length > 0) {
      const d = points.map(([a, b], i) => `${i ? 'L' : 'M'}${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join('');
      const clip = `${this.slider.id}-clip`;
      parts.push(
        svg('clipPath', { id: clip }, svg('rect', { x: inset, y: 0, width: width - 2 * inset, height })),
        svg('path', { class: 'line dual', d, 'clip-path': `url(#${clip})` }),
      );
      for (const at of this.kinks())
        if (at <= this.range) {
          const cost = valueAt(sweep!, at);
          if (cost !== undefined && Number.isFinite(cost))
            parts.push(
              svg('circle', { class: 'corner', cx: x(at), cy: y(cost), r: 3 },
                svg('title', {}, `corner: ${this.cost.label} ${number(at)}, ${this.primary} ${number(cost)}`)),
            );
        }
      if (high > low)
        parts.push(
          svg('text', { x: width - inset, y: top + 9, class: 'end' }, `${this.primary} ${brief(high)} – ${brief(low)}`),
        );
    }
    if (bound !== null) {
      const here = this.stale ? undefined : sweep && valueAt(sweep, bound);
      const at = x(Math.min(bound, this.range));
      parts.push(svg('line', { class: 'here', x1: at, x2: at, y1: top - 6, y2: bottom }));
      if (here !== undefined && Number.isFinite(here))
        parts.push(svg('circle', { class: 'best', cx: at, cy: y(here), r: 5 }));
    }
    chart.replaceChildren(...parts);
  }

  /** How single runs spread; nothing if there are none to show. */
  showRuns(runs: Runs | undefined): void {
    const mine = runs?.costs.find(({ cost }) => cost === this.cost.label);
    if (!runs || !mine || mine.bars.length === 0) {
      this.often.replaceChildren();
      return;
    }
    const exceeds = mine.exceeds;
    const text =
      exceeds === undefined
        ? `95 % of runs use at most ${number(mine.p95)}.`
        : exceeds === 0
          ? 'No run exceeded it.'
          : `${percent(exceeds)} of single runs exceed it.`;
    this.often.replaceChildren(
      histogram(mine.bars, runs.runs, this.cost.label, mine.bound),
      h('p', {}, text, h('small', {}, ` ${runs.runs.toLocaleString('en')} runs`)),
    );
  }
}
