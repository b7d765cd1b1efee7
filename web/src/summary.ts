// What one wants to know first: the answer, what it costs against what it may cost, and what more
// budget would buy.
import { histogram } from './charts/histogram';
import { rewardOf, type Constraint, type Report } from './data';
import { h, type Child } from './dom';
import { apart, count, digits, number, percent, shareOf } from './format';

const verdicts = {
  optimal: 'Optimal',
  infeasible: 'Infeasible',
  'no-proper-policy': 'No proper policy',
  limit: 'Stopped early',
  interrupted: 'Interrupted',
};

/** What the problem asks for: a cost as it is, a reward instead of what is lost of it. */
function asAsked(report: Report, cost: string, value: number): [name: string, value: string] {
  const reward = rewardOf(report, cost);
  return reward === undefined ? [cost, number(value)] : [reward, number(-value)];
}

function sentence(report: Report): string {
  const { result, costs } = report;
  if (result.status === 'infeasible') return 'No policy meets all bounds.';
  if (result.status === 'no-proper-policy')
    return 'From the start no policy reaches the goal with certainty.';
  if (result.objective === undefined || result.objective === null)
    return 'No feasible policy is known yet.';
  const bounds = result.constraints.length;
  const within =
    ['', ' within the bound', ' within both bounds'][bounds] ?? ` within all ${bounds} bounds`;
  const [primary, value] = asAsked(report, costs[0], result.objective);
  const best = primary === costs[0] ? 'least' : 'greatest';
  return result.status === 'optimal'
    ? `The ${best} expected ${primary}${within} is ${value}.`
    : `The best policy so far has an expected ${primary} of ${value}.`;
}

/** Why no policy meets all bounds. */
function reason({ result }: Report): string | undefined {
  if (!result.infeasibility) return undefined;
  if ('zero_bounds' in result.infeasibility) {
    const names = result.infeasibility.zero_bounds;
    const [bounds, forbid] = names.length === 1 ? ['bound', 'forbids'] : ['bounds', 'forbid'];
    return `Without the actions that the ${bounds} of 0 on ${names.join(' and ')} ${forbid} no policy reaches the goal for certain.`;
  }
  const { weights, least, allowed } = result.infeasibility;
  const sum = Object.entries(weights)
    .map(([name, weight]) => (weight === 1 ? name : `${number(weight)}·${name}`))
    .join(' + ');
  const [needed, given] = apart(least, allowed);
  return `Every policy has ${sum} ≥ ${needed}; the bounds allow ${given}.`;
}

/** What would make it feasible, or why there is no proper policy: as the command line says it. */
function explanation({ result }: Report): HTMLElement | null {
  const lines = [...(result.repair?.text ?? []), ...(result.reason?.text ?? [])];
  if (result.status === 'no-proper-policy')
    lines.push('', 'With a price on giving up (--give-up) there is a policy in any case.');
  return lines.length > 0 ? h('pre', { class: 'reason', id: 'reason' }, lines.join('\n')) : null;
}

/** Bounds are about averages, which is easily overlooked. */
function onAverage({ result, runs, policy }: Report): HTMLElement | null {
  if (result.constraints.length === 0 || !policy) return null;
  const [bounds, hold, them] =
    result.constraints.length === 1 ? ['bound', 'holds', 'it'] : ['bounds', 'hold', 'them'];
  const text = `The ${bounds} ${hold} on average over many runs; a single run may exceed ${them}. `;
  if (!runs) return h('p', { id: 'on-average' }, text);
  const what = result.constraints.length === 1 ? 'it' : 'at least one';
  const share =
    runs.exceeding_any === 0
      ? `None of ${digits(runs.runs)} simulated runs did.`
      : `Of ${digits(runs.runs)} simulated runs ${shareOf(runs.exceeding_any, runs.runs)} exceed ${what}.`;
  return h('p', { id: 'on-average' }, text, share);
}

/** A gap of rounding errors only is not worth its digits. */
function gapText(gap: number): string {
  return gap < 1e-6 ? '0.0001 %' : `${number(gap * 100)} %`;
}

function certificate(report: Report): string | undefined {
  const { result, costs } = report;
  if (typeof result.lower_bound !== 'number') return undefined;
  const least = `No policy can do better than ${asAsked(report, costs[0], result.lower_bound)[1]}`;
  return typeof result.gap === 'number'
    ? `${least}: certified within ${gapText(result.gap)}.`
    : `${least}.`;
}

export function headline(report: Report): HTMLElement {
  const { status, note } = report.result;
  return h(
    'div',
    { class: 'headline' },
    h('span', { class: `pill ${status}`, id: 'status' }, verdicts[status] ?? status),
    h('h1', {}, sentence(report)),
    h('p', {}, reason(report) ?? certificate(report) ?? ''),
    onAverage(report),
    explanation(report),
    note ? h('p', { class: 'note' }, `Note: ${note}.`) : null,
  );
}

function card(kind: string, label: string, value: Child, ...details: Child[]): HTMLElement {
  return h(
    'article',
    { class: `card ${kind}` },
    h('h3', {}, label),
    h('div', { class: 'figure' }, value),
    ...details,
  );
}

/** How much of a budget is used. */
function gauge(value: number, bound: number): SVGElement | HTMLElement {
  const share = bound > 0 ? value / bound : value > 0 ? 1 : 0;
  const bar = h('div', { class: 'fill' });
  bar.style.width = `${Math.min(100, 100 * share)}%`;
  return h(
    'div',
    {
      class: share > 1 - 1e-6 ? 'gauge tight' : 'gauge',
      role: 'meter',
      'aria-valuemin': 0,
      'aria-valuemax': bound,
      'aria-valuenow': value,
      'aria-label': `${percent(Math.min(1, share))} of the budget is used`,
    },
    bar,
  );
}

function whatMoreBuys(report: Report, { cost, multiplier }: Constraint): string {
  if (multiplier === undefined) return 'No shadow price is known.';
  const primary = report.costs[0];
  const reward = rewardOf(report, primary);
  const [saves, save, what] =
    reward === undefined ? ['saves', 'save', primary] : ['gains', 'gain', reward];
  return multiplier > 0
    ? `One more unit of ${cost} ${saves} up to ${number(multiplier)} ${what}.`
    : `More ${cost} would ${save} no ${what}.`;
}

/** Where there is no policy: what this bound would have to be, the others as they are. */
function wouldSuffice({ result }: Report, cost: string): string {
  const alone = result.repair?.alone?.[cost];
  if (!alone) return 'No policy to compare with.';
  return alone.possible && alone.sufficient !== undefined
    ? `${number(alone.sufficient)} would suffice, the other bounds as they are.`
    : 'However large, this bound alone would not help.';
}

/** How often single runs exceed a bound, and by how much. */
function singleRuns({ runs }: Report, cost: string, bound: number): Child[] {
  const own = runs?.costs.find((one) => one.cost === cost);
  if (!runs || own?.exceeding === undefined) return [];
  const text =
    own.exceeding === 0
      ? `None of ${digits(runs.runs)} runs exceeds it.`
      : `${shareOf(own.exceeding, runs.runs)} of runs exceed it.`;
  const tail = `95 % of runs need at most ${number(own.p95)}, the worst ${number(own.max)}.`;
  return [
    h('p', { class: 'runs' }, h('strong', {}, 'Single runs: '), text),
    own.bars.length > 1 ? histogram(own.bars, runs.runs, cost, bound) : null,
    h('p', { class: 'tail' }, tail),
    runs.cut_off > 0
      ? h('p', { class: 'warning' }, `${count(runs.cut_off, 'run')} did not end in time.`)
      : null,
  ];
}

function boundCard(constraint: Constraint, report: Report): HTMLElement {
  const { cost, bound, value, excess } = constraint;
  if (value === undefined)
    return card('bound', cost, `≤ ${number(bound)}`, h('p', {}, wouldSuffice(report, cost)));
  const slack = Math.abs(bound - value) < 1e-9 * bound ? 0 : bound - value;
  const left = slack === 0 ? 'the budget is used up' : `${number(slack)} to spare`;
  return card(
    'bound',
    `expected ${cost}`,
    h('span', {}, number(value), h('small', {}, ` of ${number(bound)} on average`)),
    gauge(value, bound),
    h('p', {}, h('strong', {}, slack === 0 ? 'Tight: ' : 'Slack: '), left),
    excess === undefined
      ? null
      : h(
          'p',
          { class: 'warning' },
          `Exceeds the bound by ${number(excess)}, within the tolerance.`,
        ),
    h('p', { class: 'price' }, whatMoreBuys(report, constraint)),
    ...singleRuns(report, cost, bound),
  );
}

/** "1 action", "18.7333 actions" */
function plural(amount: number, noun: string): string {
  return `${number(amount)} ${noun}${number(amount) === '1' ? '' : 's'}`;
}

function policyCard({ policy }: Report): HTMLElement | null {
  if (!policy) return null;
  const coins = policy.stochastic_states;
  return card(
    'policy',
    'policy',
    h(
      'span',
      {},
      digits(policy.total_states),
      h('small', {}, policy.total_states === 1 ? ' state' : ' states'),
    ),
    h(
      'p',
      {},
      coins === 0 ? 'It never tosses a coin.' : `In ${count(coins, 'state')} it chooses at random.`,
    ),
    h('p', {}, `${plural(policy.expected_steps, 'action')} on average.`),
    h('p', {}, `Ends in ${count(policy.total_goals, 'goal')}.`),
    policy.given_up > 0
      ? h('p', { class: 'warning' }, `It gives up with probability ${percent(policy.given_up)}.`)
      : null,
  );
}

/** What single runs cost where nothing is bounded: the cost that is minimised. */
function primaryRuns(report: Report): Child[] {
  const own = report.runs?.costs[0];
  if (!own || rewardOf(report, report.costs[0]) !== undefined) return [];
  return [
    own.bars.length > 1 ? histogram(own.bars, report.runs!.runs, own.cost) : null,
    h('p', {}, `Half of the runs take at most ${number(own.median)}, 95 % ${number(own.p95)}.`),
  ];
}

export function summary(report: Report): HTMLElement {
  const { result, costs } = report;
  const bounded = new Set(result.constraints.map((constraint) => constraint.cost));
  const cards: (HTMLElement | null)[] = [];
  if (typeof result.objective === 'number') {
    const [name, value] = asAsked(report, costs[0], result.objective);
    const side = name === costs[0] ? 'lower' : 'upper';
    cards.push(
      card(
        'objective',
        `expected ${name}`,
        value,
        typeof result.lower_bound === 'number'
          ? h('p', {}, `${side} bound ${asAsked(report, costs[0], result.lower_bound)[1]}`)
          : null,
        typeof result.gap === 'number'
          ? h('p', {}, `gap ${result.gap < 1e-6 ? '< ' : ''}${gapText(result.gap)}`)
          : null,
        ...primaryRuns(report),
      ),
    );
  }
  for (const constraint of result.constraints) cards.push(boundCard(constraint, report));
  for (const cost of costs.slice(1))
    if (!bounded.has(cost) && result.costs) {
      const [name, value] = asAsked(report, cost, result.costs[cost]);
      cards.push(card('free', `expected ${name}`, value, h('p', {}, 'no bound')));
    }
  cards.push(policyCard(report));
  return h('div', { class: 'cards', id: 'summary' }, ...cards);
}
