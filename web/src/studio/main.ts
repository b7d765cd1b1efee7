// The studio: budgets on the left, what they buy on the right.
import type { Policy, Report, SweepCurve as Sweep } from '../data';
import { h } from '../dom';
import { count } from '../format';
import { PolicyGraph } from '../graph/model';
import { PolicyView } from '../graph/view';
import { themeButton } from '../theme';
import { Answer } from './answer';
import { askFor, Gone, hello, Refused, type Hello, type Model, type ModelFile, type Progress, type Runs, type StudioError } from './api';
import { Budget } from './budget';
import { acceptDrops, chooser, type ChooserWishes } from './chooser';
import { changedStates, comparison, csvOf, differences, type Setting } from './compare';
import { Editor } from './editor';
import { Player } from './player';
import { Session } from './session';
import { fromHash, History, toHash, type Bounds } from './settings';
import { Tabs } from './tabs';

const banner = h('div', { class: 'banner', role: 'alert' });
banner.hidden = true;
const main = h('main', { class: 'studio' });
const title = h('div', { class: 'problem' });
const undoButton = h('button', { type: 'button', id: 'undo', title: 'Undo (Ctrl-Z)', 'aria-label': 'Undo' }, '↶');
const redoButton = h('button', { type: 'button', id: 'redo', title: 'Redo (Ctrl-Shift-Z)', 'aria-label': 'Redo' }, '↷');
const openButton = h('button', { type: 'button', id: 'open' }, 'Open…');
const dialog = h('dialog', { 'aria-label': 'Open a problem' });

let greeting: Hello;
let workbench: Workbench | undefined;

function say(message: string, kind: 'gone' | 'trouble' = 'trouble'): void {
  banner.className = `banner ${kind}`;
  banner.replaceChildren(
    h('span', {}, message),
    kind === 'gone' ? null! : h('button', { type: 'button', onclick: () => (banner.hidden = true) }, 'Close'),
  );
  banner.hidden = false;
}

function gone(): void {
  say('The carl program behind this page has ended. Start “carl studio” again and open the address that it prints; your settings are in the part of this address after #.', 'gone');
}

/** What one model is worked on with. */
class Workbench {
  readonly element = h('div', { class: 'bench' });
  private readonly session: Session;
  private readonly history: History;
  private readonly budgets: Budget[];
  private readonly answer: Answer;
  private readonly tabs: Tabs;
  private readonly editor: Editor;
  private readonly player: Player;
  private readonly stage = h('div', { class: 'graph-stage' });
  private readonly changes = h('p', { class: 'lead', id: 'changes', role: 'status' });
  private readonly compareBody = h('div', { id: 'compare-body' });
  private readonly pinButton = h('button', { type: 'button', id: 'pin' }, 'Pin this setting');
  private readonly unpinButton = h('button', { type: 'button', id: 'unpin' }, 'Unpin');
  private readonly exportButton = h('button', { type: 'button', id: 'export' }, 'Export table (CSV)');
  private readonly overall = h('p', { class: 'lead', id: 'within-all' });
  private view?: PolicyView;
  private report?: Report; // the last that is certified
  private shown?: Setting; // with its policy
  private previous?: Policy;
  private pinned?: Setting;
  private losses = new Map<string, number>();
  private explaining?: AbortController;
  private followers = 0;

  constructor(
    readonly model: Model,
    bounds: Bounds,
  ) {
    const [primary, ...others] = model.costs;
    this.history = new History(bounds);
    this.answer = new Answer(primary.label, () => this.cancel());
    this.budgets = others.map(
      (cost) =>
        new Budget(cost, primary.label, {
          move: (name, bound) => this.move(name, bound),
          settle: () => this.settle(),
        }),
    );
    this.session = new Session(
      model,
      bounds,
      {
        answered: (report) => this.certify(report),
        policy: (report, at) => this.showPolicy(report, at),
        curve: (cost, sweep) => {
          const budget = this.budgetOf(cost);
          budget.setCurve(sweep);
          this.fitCurve(budget, sweep);
          budget.show(this.session.bounds[cost]);
          budget.showPrice(this.priceOf(budget));
        },
        runs: (runs) => this.showRuns(runs),
        progress: (progress) => this.progress(progress),
        failed: (error) => this.failed(error),
        gone,
      },
      (cost) => {
        const budget = this.budgetOf(cost);
        return { end: budget.end, stale: budget.isStale };
      },
    );
    this.editor = new Editor({ solve: (files) => void open({ files, like: model.id }, (error) => this.editor.complain(error)) });
    this.player = new Player(
      model.costs.map(({ label }) => label),
      {
        trace: (run) => this.session.trace(run),
        select: (state) => this.view?.select(state || '(no facts)') ?? false,
      },
    );
    this.tabs = new Tabs([
      ['policy', 'Policy', this.policyPanel()],
      ['compare', 'Compare', this.comparePanel()],
      ['text', 'Model text', this.editor.element],
    ]);
    this.editor.load(model.files);
    this.build();
    for (const budget of this.budgets) {
      budget.fitRange(bounds[budget.cost.name], budget.cost.bound, 1);
      budget.show(bounds[budget.cost.name]);
      budget.use(undefined, true);
      budget.showPrice(undefined);
    }
    this.answer.estimate(undefined);
    this.remember();
    this.begin();
  }

  private build(): void {
    const reset = h('button', { type: 'button', id: 'reset', onclick: () => this.jump(writtenBounds(this.model)) }, 'As in the text');
    this.element.append(
      h(
        'aside',
        { class: 'budgets', 'aria-label': 'Budgets' },
        h('div', { class: 'row' }, h('h2', {}, 'Budgets'), this.budgets.length ? reset : null),
        this.budgets.length === 0 ? h('p', { class: 'lead' }, 'This problem has one cost only, so that there is nothing to trade.') : null,
        ...this.budgets.map(({ element }) => element),
        this.overall,
      ),
      h('div', { class: 'results' }, this.answer.element, this.tabs.element),
    );
    for (const text of this.model.warnings) this.element.prepend(h('p', { class: 'banner trouble' }, text));
  }

  private policyPanel(): HTMLElement {
    return h('section', { id: 'policy', 'aria-label': 'The policy' }, h('div', { class: 'toolbar' }, this.player.element, this.changes), this.stage);
  }

  private comparePanel(): HTMLElement {
    this.pinButton.addEventListener('click', () => this.pin(this.shown));
    this.unpinButton.addEventListener('click', () => this.pin(undefined));
    this.exportButton.addEventListener('click', () => this.exportTable());
    this.refreshCompare();
    return h('section', { id: 'compare', 'aria-label': 'Compare' }, h('div', { class: 'toolbar' }, this.pinButton, this.unpinButton, this.exportButton), this.compareBody);
  }

  private budgetOf(name: string): Budget {
    return this.budgets.find(({ cost }) => cost.name === name)!;
  }

  // --- settings ---------------------------------------------------------------------------------

  private begin(): void {
    this.answer.busy(undefined, true);
    this.session.set(this.session.bounds);
    this.session.rest();
  }

  private move(name: string, bound: number | null): void {
    if (this.session.bounds[name] === bound) return;
    this.apply({ ...this.session.bounds, [name]: bound }, name);
  }

  private apply(bounds: Bounds, moved?: string): void {
    const before = this.session.bounds;
    const different = Object.keys(bounds).filter((name) => bounds[name] !== before[name]);
    for (const budget of this.budgets) {
      const { name } = budget.cost;
      if (different.some((other) => other !== name)) budget.outdate();
    }
    this.session.bounds = bounds;
    for (const budget of this.budgets)
      if (moved === undefined || budget.cost.name === moved) budget.show(bounds[budget.cost.name]);
    this.estimate(moved);
    this.answer.busy(undefined, true);
    this.session.set(bounds);
    // An answer that is known already has been told by now.
  }

  /** At once, from what is known. */
  private estimate(moved: string | undefined): void {
    const { bounds } = this.session;
    const mixture = this.session.estimate();
    const budget = moved === undefined ? undefined : this.budgetOf(moved);
    const onCurve = budget?.curveValue(bounds[moved!]);
    this.answer.estimate(onCurve ?? mixture?.[0]);
    this.budgets.forEach((one, i) => {
      one.use(onCurve === Infinity ? undefined : mixture?.[i + 1], true);
      one.showPrice(undefined);
    });
  }

  private settle(): void {
    this.history.commit(this.session.bounds);
    this.remember();
    this.session.rest();
  }

  private jump(bounds: Bounds): void {
    this.apply({ ...bounds });
    this.settle();
  }

  undo(): void {
    if (this.history.canUndo) this.revisit(this.history.undo());
  }
  redo(): void {
    if (this.history.canRedo) this.revisit(this.history.redo());
  }
  private revisit(bounds: Bounds): void {
    this.apply({ ...bounds });
    this.remember();
    this.session.rest();
  }

  /** In the address, and on the buttons. */
  private remember(): void {
    window.history.replaceState(null, '', toHash(this.model.id, this.history.now));
    undoButton.disabled = !this.history.canUndo;
    redoButton.disabled = !this.history.canRedo;
  }

  /** The whole curve should be in view, and not lost in a corner of it. */
  private fitCurve(budget: Budget, sweep: Sweep): void {
    const bound = this.session.bounds[budget.cost.name];
    const slack = sweep.slack_above;
    const least = sweep.infeasible_below ?? 0;
    const end = typeof slack === 'number' ? slack : 0;
    const needed =
      end > budget.end
        ? end
        : typeof slack !== 'number' && (sweep.points.at(-1)?.multiplier ?? 0) > 1e-9
          ? 2 * budget.end
          : least > budget.end
            ? 1.5 * least
            : 0;
    if (needed > 0 && needed < 1e9) {
      budget.fitRange(needed, bound);
      budget.outdate();
    } else if (end > 0 && Math.max(end, bound ?? 0, least) < 0.45 * budget.end) {
      budget.fitRange(end, bound, 1.15 * least);
    }
  }

  // --- answers ----------------------------------------------------------------------------------

  private progress(progress: Progress | undefined): void {
    this.answer.busy(progress, progress !== undefined || !this.session.isCertified);
    if (progress === undefined && !this.session.isSolving) this.answer.busy(undefined, false);
  }

  private cancel(): void {
    this.session.cancel();
    this.answer.busy(undefined, false);
    this.answer.failed('Cancelled.', 'Move a budget, or undo, to go on.');
  }

  private failed(error: StudioError): void {
    this.answer.failed(error.message, error.hint);
  }

  private priceOf(budget: Budget): number | undefined {
    if (!this.session.isCertified) return undefined;
    return this.report?.result.constraints.find(({ cost }) => cost === budget.cost.label)?.multiplier;
  }

  private certify(report: Report): void {
    this.report = report;
    this.answer.certified(report);
    const { costs } = report.result;
    for (const budget of this.budgets) {
      budget.use(costs?.[budget.cost.label], false);
      budget.showPrice(this.priceOf(budget));
    }
    if (!costs) {
      this.showRuns(undefined);
      this.showNothing();
    }
    document.body.dataset.certified = String(++this.followers);
  }

  private showNothing(): void {
    this.changes.textContent = this.view ? 'No policy meets these budgets; this is the one of before.' : '';
    this.stage.classList.add('outdated');
    this.player.reset();
    this.shown = undefined;
    this.refreshCompare();
  }

  private showPolicy(report: Report, bounds: Bounds): void {
    const graph = new PolicyGraph(report.policy!, report);
    const reference = this.pinned?.report.policy ?? this.previous;
    const changed = reference ? changedStates(reference, report.policy!) : new Set<string>();
    this.stage.classList.remove('outdated');
    if (this.view) this.view.update(graph, changed);
    else {
      this.view = new PolicyView(graph);
      Object.assign(window, { carlReport: this.view.api() });
      this.stage.replaceChildren(this.view.element);
    }
    const than = this.pinned ? 'the pinned setting' : 'before';
    this.changes.textContent = !reference
      ? ''
      : changed.size === 0
        ? `All choices are those of ${than}.`
        : `${count(changed.size, 'choice')} ${changed.size === 1 ? 'differs' : 'differ'} from ${than}: ringed.`;
    this.previous = report.policy;
    this.shown = { bounds, report };
    this.player.reset();
    this.refreshCompare();
  }

  private showRuns(runs: Runs | undefined): void {
    for (const budget of this.budgets) budget.showRuns(runs);
    const bounded = this.budgets.filter(({ cost }) => this.session.bounds[cost.name] !== null).length;
    this.overall.textContent =
      runs && bounded > 0
        ? `Budgets hold on average. Of ${runs.runs.toLocaleString('en')} single runs ${(100 * runs.within_all).toFixed(1)} % keep to ${bounded > 1 ? 'all of them' : 'it'}.`
        : '';
  }

  // --- comparing --------------------------------------------------------------------------------

  private pin(setting: Setting | undefined): void {
    this.pinned = setting;
    this.losses.clear();
    this.tabs.mark('compare', setting !== undefined);
    this.refreshCompare();
  }

  private refreshCompare(): void {
    const { pinned, shown } = this;
    this.pinButton.disabled = !shown;
    this.unpinButton.hidden = !pinned;
    this.exportButton.hidden = !pinned || !shown;
    this.explaining?.abort();
    this.losses.clear();
    if (!pinned) {
      this.compareBody.replaceChildren(
        h('p', { class: 'lead' }, 'Pin the setting you are at, then move a budget: both are shown side by side here, with the states in which their policies differ.'),
      );
      return;
    }
    if (!shown) {
      this.compareBody.replaceChildren(h('p', { class: 'lead' }, 'There is no policy now to compare with the pinned one.'));
      return;
    }
    this.drawComparison();
    void this.findLosses(pinned, shown);
  }

  private drawComparison(): void {
    const { pinned, shown } = this;
    if (!pinned || !shown) return;
    const all = differences(pinned.report.policy!, shown.report.policy!);
    const select = (state: string) => {
      this.tabs.show('policy');
      this.view?.select(state);
    };
    this.compareBody.replaceChildren(
      ...(comparison(this.model.costs, pinned, shown, all, select, this.losses).filter(Boolean) as Node[]),
    );
  }

  /** What the pinned choices would cost at the prices of now. */
  private async findLosses(pinned: Setting, shown: Setting): Promise<void> {
    const wanted = differences(pinned.report.policy!, shown.report.policy!)
      .filter((one) => one.pinned !== '' && one.now !== '')
      .slice(0, 30);
    if (wanted.length === 0) return;
    const abort = new AbortController();
    this.explaining = abort;
    type Explained = { states: { state: string | string[]; actions: { name: string; loss: number | null }[] }[] };
    try {
      const found = await askFor<Explained>(
        'explain',
        { model: this.model.id, bounds: shown.bounds, states: wanted.map(({ state }) => state) },
        'explanation',
        abort.signal,
      );
      const pinnedChoices = choicesByState(pinned.report.policy!);
      for (const { state, actions } of found.states) {
        const name = Array.isArray(state) ? state.join(' ') : state;
        let loss = 0;
        let known = true;
        for (const [action, chance] of pinnedChoices.get(name) ?? []) {
          const its = actions.find((one) => one.name === action)?.loss;
          if (typeof its === 'number') loss += chance * its;
          else known = false;
        }
        if (known) this.losses.set(name, loss);
      }
      if (!abort.signal.aborted) this.drawComparison();
    } catch (error) {
      if (error instanceof Gone) gone();
    }
  }

  private exportTable(): void {
    const { pinned, shown } = this;
    if (!pinned || !shown) return;
    const all = differences(pinned.report.policy!, shown.report.policy!);
    const link = h('a', { download: 'comparison.csv' });
    link.href = URL.createObjectURL(new Blob([csvOf(this.model.costs, pinned, shown, all)], { type: 'text/csv' }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  close(): void {
    this.session.close();
    this.explaining?.abort();
    this.player.reset();
  }
}

function choicesByState(policy: Policy): Map<string, [string, number][]> {
  return new Map(
    policy.states.map((state) => [
      state.facts.map((fact) => policy.facts[fact]).join(' ') || '(no facts)',
      (state.choices ?? []).map(([action, chance]): [string, number] => [policy.actions[action].name, chance]),
    ]),
  );
}

const writtenBounds = (model: Model): Bounds =>
  Object.fromEntries(model.costs.slice(1).map(({ name, bound }) => [name, bound]));

// --- opening ------------------------------------------------------------------------------------

let opening: AbortController | undefined;

/** Takes the place of what is shown once it has been read. */
async function open(
  question: { example: string } | { files: ModelFile[]; like?: string } | { model: string },
  complain: (error: StudioError) => void,
  bounds: Bounds = {},
): Promise<boolean> {
  opening?.abort();
  const abort = new AbortController();
  opening = abort;
  document.body.classList.add('reading');
  try {
    const what = 'model' in question ? 'model' : 'open';
    const model = await askFor<Model>(what, question, 'model', abort.signal);
    const written = writtenBounds(model);
    const known = Object.fromEntries(Object.entries(bounds).filter(([name]) => name in written));
    workbench?.close();
    workbench = new Workbench(model, { ...written, ...known });
    title.textContent = model.title;
    document.title = `${model.title} – carl studio`;
    main.replaceChildren(workbench.element);
    dialog.close();
    banner.hidden = true;
    return true;
  } catch (error) {
    if (error instanceof Refused) complain(error.error);
    else if (error instanceof Gone) gone();
    return false;
  } finally {
    if (opening === abort) document.body.classList.remove('reading');
  }
}

const trouble = ({ message, hint, file, line }: StudioError) =>
  say(`${file ? `${file.split('/').at(-1)}${line ? `, line ${line}` : ''}: ` : ''}${message}${hint ? ` (${hint})` : ''}`);

const wishes: ChooserWishes = {
  example: (example) => void open({ example }, trouble),
  files: (files) => void open({ files }, trouble),
  model: (model) => void open({ model }, trouble),
  complain: (message) => say(message),
};

function header(): HTMLElement {
  undoButton.addEventListener('click', () => workbench?.undo());
  redoButton.addEventListener('click', () => workbench?.redo());
  undoButton.disabled = redoButton.disabled = true;
  openButton.addEventListener('click', () => {
    hello().then((now) => {
      dialog.replaceChildren(
        h('div', { class: 'row' }, h('h2', {}, 'Open a problem'), h('button', { type: 'button', onclick: () => dialog.close() }, 'Close')),
        chooser(now, wishes),
      );
      dialog.showModal();
    }, gone);
  });
  return h(
    'header',
    {},
    h('div', { class: 'brand' }, h('span', { class: 'mark', 'aria-hidden': 'true' }, 'λ'), 'carl studio'),
    title,
    h('div', { class: 'buttons' }, undoButton, redoButton, openButton, themeButton()),
  );
}

function keys(): void {
  addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    // An editor and a text field have an undo of their own.
    const target = event.composedPath()[0] as Element;
    if (target.closest?.('input[type=text], input[type=search], [contenteditable], .cm-content')) return;
    const key = event.key.toLowerCase();
    if (key === 'z' && !event.shiftKey) workbench?.undo();
    else if (key === 'y' || (key === 'z' && event.shiftKey)) workbench?.redo();
    else return;
    event.preventDefault();
  });
}

/** A page that is left open should know when nobody answers any more. */
function watch(): void {
  setInterval(() => {
    if (!document.hidden) hello().then(() => banner.classList.contains('gone') && (banner.hidden = true), gone);
  }, 5000);
}

async function start(): Promise<void> {
  document.body.append(header(), banner, main, dialog);
  keys();
  acceptDrops(wishes);
  try {
    greeting = await hello();
  } catch {
    gone();
    return;
  }
  watch();
  const { model, bounds } = fromHash(location.hash);
  const wanted = greeting.models.find(({ id }) => id === model) ?? greeting.models.at(-1);
  if (wanted && (await open({ model: wanted.id }, trouble, wanted.id === model || !model ? bounds : {}))) return;
  main.replaceChildren(
    h('section', { class: 'home' }, h('h1', {}, 'Move a budget and see the plan change'),
      h('p', { class: 'lead' }, 'carl finds the best plan under uncertainty within budgets that hold on average. Open a problem of yours, or begin with an example.'),
      chooser(greeting, wishes)),
  );
}

void start();
