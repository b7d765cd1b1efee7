// One problem in the studio: its budgets, what is known of them, and the questions that are under
// way. At any time one solve is asked for, of the latest setting; when it is certified, the curves of
// the budgets follow, and then the runs.
import type { Report, SweepCurve as Sweep } from '../data';
import { ask, askFor, Gone, Refused, type Listener, type Model, type Progress, type Runs, type StudioError, type Trace } from './api';
import { estimate, KnownPolicies } from './estimate';
import { sameBounds, type Bounds } from './settings';

export interface SessionEvents {
  /** Something is known of the setting. */
  answered: (report: Report, bounds: Bounds) => void;
  policy: (report: Report, bounds: Bounds) => void;
  curve: (cost: string, sweep: Sweep) => void;
  runs: (runs: Runs | undefined) => void;
  progress: (progress: Progress | undefined) => void;
  failed: (error: StudioError) => void;
  gone: () => void;
}

const patience = 350; // ms until a solve of a setting that is no longer wanted is dropped
const largePolicy = 400; // states; larger ones wait until the slider rests
const quiet = 160; // ms
const runsWanted = 20_000;

export class Session {
  readonly known = new KnownPolicies();
  bounds: Bounds;
  private solving?: { abort: AbortController; since: number; bounds: Bounds; whole: boolean };
  private following?: AbortController; // curves and runs
  private certified?: Bounds;
  private last?: Report; // what was certified
  private hasPolicy?: Bounds;
  private states = 0; // of the last policy
  private feasible = false;
  private resting = 0;
  private rested = true;
  private closed = false;

  constructor(
    readonly model: Model,
    bounds: Bounds,
    private readonly events: SessionEvents,
    private readonly rangeOf: (cost: string) => { end: number; stale: boolean },
  ) {
    this.bounds = bounds;
  }

  close(): void {
    this.closed = true;
    this.solving?.abort.abort();
    this.following?.abort();
    clearTimeout(this.resting);
  }

  get isSolving(): boolean {
    return this.solving !== undefined;
  }

  get isCertified(): boolean {
    return this.certified !== undefined && sameBounds(this.certified, this.bounds);
  }

  /** The best mixture of known policies, in the order of the costs. */
  estimate(): number[] | undefined {
    const order = this.model.costs.map(({ name }, i) => (i === 0 ? null : (this.bounds[name] ?? null)));
    return estimate(this.known.all, order)?.costs;
  }

  set(bounds: Bounds): void {
    this.bounds = { ...bounds };
    this.rested = false;
    clearTimeout(this.resting);
    this.resting = window.setTimeout(() => this.rest(), quiet);
    this.following?.abort();
    this.solve();
  }

  /** The slider has been let go of. */
  rest(): void {
    clearTimeout(this.resting);
    if (this.rested) return;
    this.rested = true;
    this.solve();
  }

  cancel(): void {
    this.solving?.abort.abort();
    this.solving = undefined;
    this.events.progress(undefined);
  }

  solve(): void {
    if (this.closed) return;
    const whole = this.rested || this.states <= largePolicy;
    if (this.solving) {
      const { bounds, since, abort } = this.solving;
      if (sameBounds(bounds, this.bounds) && (this.solving.whole || !whole)) return;
      // What is nearly done is worth having; what takes long is not waited for.
      if (performance.now() - since < patience) return;
      abort.abort();
    }
    const wanted = { ...this.bounds };
    if (this.isCertified && (!whole || (this.hasPolicy && sameBounds(this.hasPolicy, wanted)))) {
      // It was left and come back to before there was anything else to know.
      this.events.answered(this.last!, wanted);
      this.events.progress(undefined);
      if (this.rested) void this.follow(wanted);
      return;
    }
    void this.ask(wanted, whole);
  }

  private async ask(bounds: Bounds, whole: boolean): Promise<void> {
    const abort = new AbortController();
    const mine = { abort, since: performance.now(), bounds, whole };
    this.solving = mine;
    const impatient = window.setTimeout(() => this.solve(), patience + 10);
    const listener: Listener = (event: string, data: never) => {
      if (this.solving !== mine) return;
      if (event === 'progress') this.events.progress(data);
      else if (event === 'result') this.learn(data, bounds);
      else if (event === 'policy') {
        this.states = (data as Report).policy!.total_states;
        this.hasPolicy = bounds;
        this.events.policy(data, bounds);
      }
    };
    try {
      await ask('solve', { model: this.model.id, bounds, policy: whole }, listener, abort.signal);
      if (whole) this.hasPolicy = bounds;
    } catch (error) {
      if (!this.closed && this.solving === mine) this.report(error as Error);
    } finally {
      clearTimeout(impatient);
      if (this.solving === mine) {
        this.solving = undefined;
        this.events.progress(undefined);
        if (!this.closed && !abort.signal.aborted) this.next(bounds, whole);
      }
    }
  }

  private next(bounds: Bounds, whole: boolean): void {
    if (!sameBounds(bounds, this.bounds) || (!whole && this.rested)) this.solve();
    else if (this.isCertified && this.rested) void this.follow(bounds);
  }

  private learn(report: Report, bounds: Bounds): void {
    const { result } = report;
    for (const cut of result.cuts ?? []) this.known.add(cut);
    for (const { costs } of result.policy?.mixture ?? []) this.known.add(costs);
    if (!sameBounds(bounds, this.bounds)) return;
    this.certified = bounds;
    this.last = report;
    this.feasible = typeof result.objective === 'number';
    this.events.answered(report, bounds);
  }

  /** What can wait: runs, then the curves that others have outdated. */
  private async follow(bounds: Bounds): Promise<void> {
    this.following?.abort();
    const abort = new AbortController();
    this.following = abort;
    const question = { model: this.model.id, bounds };
    try {
      if (this.hasPolicy && sameBounds(this.hasPolicy, bounds) && this.feasible)
        await ask('simulate', { ...question, runs: runsWanted }, (event, data) => {
          if (event === 'runs' && !abort.signal.aborted) this.events.runs(data);
        }, abort.signal).catch((error: Error) => {
          if (!(error instanceof Refused)) throw error;
          this.events.runs(undefined);
        });
      for (const { name } of this.model.costs.slice(1)) {
        for (let tries = 0; tries < 6; ++tries) {
          const { end, stale } = this.rangeOf(name);
          if (!stale) break;
          const sweep = await askFor<Sweep>('sweep', { ...question, cost: name, from: 0, to: end }, 'curve', abort.signal);
          if (abort.signal.aborted) return;
          this.events.curve(name, sweep);
        }
      }
    } catch (error) {
      if (!abort.signal.aborted && !this.closed && !(error instanceof Refused)) this.report(error as Error);
    }
  }

  trace(run: number): Promise<Trace> {
    return askFor<Trace>('trace', { model: this.model.id, bounds: this.bounds, run }, 'trace');
  }

  private report(error: Error): void {
    if (error.name === 'AbortError') return;
    if (error instanceof Refused) this.events.failed(error.error);
    else if (error instanceof Gone) this.events.gone();
    else throw error;
  }
}
