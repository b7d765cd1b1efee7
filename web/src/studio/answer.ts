// The answer at a glance: the cost, how sure it is, and what to do if there is none.
import type { Report } from '../data';
import { h, type Child } from '../dom';
import { number } from '../format';
import { headline } from '../summary';
import type { Progress } from './api';

export type Certainty = 'estimate' | 'certified' | 'infeasible' | 'waiting';

export class Answer {
  readonly element: HTMLElement;
  private readonly figure = h('span', { class: 'figure', id: 'objective' }, '–');
  private readonly badge = h('span', { class: 'pill', id: 'certainty', role: 'status' });
  private readonly words = h('div', { class: 'words' });
  private readonly progress = h('div', { class: 'progress', role: 'status' });
  private readonly bar = h('div', { class: 'bar', 'aria-hidden': 'true' });
  private readonly said = h('span', {});
  private since = 0;
  private timer = 0;
  private pending?: Progress;

  constructor(label: string, cancel: () => void) {
    this.progress.append(this.bar, this.said, h('button', { type: 'button', id: 'cancel', onclick: cancel }, 'Cancel'));
    this.progress.hidden = true;
    this.element = h(
      'section',
      { class: 'answer', 'aria-label': 'The answer' },
      h('div', { class: 'row' }, h('h2', {}, `expected ${label}`), this.badge),
      this.figure,
      this.words,
      this.progress,
    );
  }

  private say(kind: Certainty, text: string, value: string, words: Child[]): void {
    this.element.dataset.certainty = kind;
    this.badge.className = `pill ${kind === 'certified' ? 'optimal' : ''} ${kind}`;
    if (this.badge.textContent !== text) this.badge.textContent = text;
    this.figure.textContent = value;
    this.words.replaceChildren(...words.filter((word): word is Node | string => Boolean(word)));
  }

  estimate(value: number | undefined): void {
    if (value === undefined) this.say('waiting', 'not known yet', '–', []);
    else if (value === Infinity) this.say('estimate', 'infeasible (estimate)', '–', [h('p', {}, 'No policy seems to meet all budgets.')]);
    else this.say('estimate', 'estimate', `≈ ${number(Number(value.toPrecision(5)))}`, [h('p', {}, 'From policies that are known; the certified answer is on its way.')]);
  }

  certified(report: Report): void {
    const { result } = report;
    if (typeof result.objective !== 'number') {
      const status = result.status === 'infeasible' ? 'Infeasible' : result.status === 'no-proper-policy' ? 'No proper policy' : 'No answer';
      const parts = [...headline(report).children].slice(1);
      this.say('infeasible', status, '–', parts as HTMLElement[]);
      return;
    }
    const proven = result.status === 'optimal';
    const gap = result.gap ?? 0;
    const words = proven
      ? `No policy can do better: proved within ${gap < 1e-6 ? '0.0001' : number(gap * 100)} %.`
      : `The best so far${typeof result.lower_bound === 'number' ? `; none can be below ${number(result.lower_bound)}` : ''}. ${result.note ?? ''}`;
    this.say(proven ? 'certified' : 'estimate', proven ? 'certified' : 'stopped early', number(result.objective), [h('p', {}, words)]);
  }

  failed(message: string, hint: string): void {
    this.say('infeasible', 'no answer', '–', [h('p', {}, message), hint ? h('p', {}, hint) : null]);
  }

  /** Only what takes long is worth a word. */
  busy(progress: Progress | undefined, begun: boolean): void {
    this.pending = progress;
    if (!begun) {
      clearInterval(this.timer);
      this.timer = 0;
      this.progress.hidden = true;
      return;
    }
    if (this.timer === 0) {
      this.since = performance.now();
      this.timer = window.setInterval(() => this.tell(), 250);
    }
  }

  private tell(): void {
    const seconds = (performance.now() - this.since) / 1000;
    if (seconds < 0.4) return;
    this.progress.hidden = false;
    const { pending } = this;
    const bounds =
      pending && pending.lower_bound !== null && pending.upper_bound !== null
        ? `, between ${number(Number(pending.lower_bound.toPrecision(5)))} and ${number(Number(pending.upper_bound.toPrecision(5)))}`
        : '';
    const states = pending?.states ? `, ${pending.states.toLocaleString('en')} states` : '';
    this.said.textContent = `Solving for ${seconds.toFixed(0)} s${states}${bounds}`;
  }
}
