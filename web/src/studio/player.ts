// One run of the policy, step by step, shown in the graph.
import { h } from '../dom';
import { count, number, percent, plain } from '../format';
import type { Trace } from './api';

export interface PlayerWishes {
  trace: (run: number) => Promise<Trace>;
  select: (state: string) => boolean; // in the graph
}

const pace = 900; // ms for a step

export class Player {
  readonly element: HTMLElement;
  private readonly text = h('p', { class: 'player-text', role: 'status' });
  private readonly playButton = h('button', { type: 'button', id: 'play' }, '▸ Play a run');
  private readonly backButton = h('button', { type: 'button', 'aria-label': 'One step back' }, '‹');
  private readonly nextButton = h('button', { type: 'button', 'aria-label': 'One step on' }, '›');
  private readonly otherButton = h('button', { type: 'button', id: 'other-run' }, 'Another run');
  private trace?: Trace;
  private at = 0; // steps taken
  private run = 0;
  private timer = 0;

  constructor(
    private readonly costs: string[],
    private readonly wishes: PlayerWishes,
  ) {
    this.element = h('div', { class: 'player' }, this.playButton, this.backButton, this.nextButton, this.otherButton, this.text);
    this.playButton.addEventListener('click', () => void this.toggle());
    this.nextButton.addEventListener('click', () => void this.step(1));
    this.backButton.addEventListener('click', () => void this.step(-1));
    this.otherButton.addEventListener('click', () => {
      this.reset();
      ++this.run;
      void this.toggle();
    });
    this.refresh();
  }

  /** There is another policy, of which this is no run. */
  reset(): void {
    this.stop();
    this.trace = undefined;
    this.at = 0;
    this.text.textContent = '';
    this.refresh();
  }

  private stop(): void {
    clearInterval(this.timer);
    this.timer = 0;
    this.refresh();
  }

  private refresh(): void {
    this.playButton.textContent = this.timer ? '❚❚ Pause' : this.trace ? '▸ Play' : '▸ Play a run';
    for (const button of [this.backButton, this.nextButton, this.otherButton]) button.hidden = !this.trace;
    if (!this.trace) return;
    this.backButton.disabled = this.at === 0;
    this.nextButton.disabled = this.at >= this.trace.steps.length;
  }

  private async load(): Promise<boolean> {
    if (this.trace) return true;
    try {
      this.trace = await this.wishes.trace(this.run);
    } catch {
      return false;
    }
    this.at = 0;
    this.show();
    return true;
  }

  private async toggle(): Promise<void> {
    if (this.timer) return this.stop();
    if (!(await this.load())) return;
    if (this.at >= this.trace!.steps.length) this.at = 0;
    this.show();
    this.timer = window.setInterval(() => void this.step(1), pace);
    this.refresh();
  }

  private async step(by: number): Promise<void> {
    if (!(await this.load())) return;
    this.at = Math.min(this.trace!.steps.length, Math.max(0, this.at + by));
    if (this.at >= this.trace!.steps.length) this.stop();
    this.show();
  }

  private show(): void {
    const { steps, start, end, run } = this.trace!;
    const done = this.at > 0 ? steps[this.at - 1] : undefined;
    this.wishes.select(done ? done.successor : start);
    const spent = done ? this.costs.map((name, i) => `${name} ${number(done.costs[i])}`).join(', ') : '';
    const chance = done && done.outcome_probability < 1 ? `, and what had a chance of ${percent(done.outcome_probability)} happened` : '';
    const over = { goal: 'The goal is reached', 'given-up': 'It is given up', 'cut-off': 'Too long to show all of it' }[end];
    this.text.textContent = !done
      ? `Run ${run + 1}: ${count(steps.length, 'step')}.`
      : this.at === steps.length
        ? `${over} after ${count(steps.length, 'step')}: ${spent}.`
        : `Step ${this.at} of ${steps.length}: ${plain(done.action)}${chance}. So far ${spent}.`;
    this.refresh();
  }
}
