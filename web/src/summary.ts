// What one wants to know first: the answer, what it costs against what it may cost, and what more
// budget would buy.
import type { Constraint, Report } from './data';
import { h, type Child } from './dom';
import { apart, count, digits, number, percent } from './format';

const verdicts = {
  optimal: 'Optimal',
  infeasible: 'Infeasible',
  'no-proper-policy': 'No proper policy',
  limit: 'Stopped early',
  interrupted: 'Interrupted',
};

function sentence({ result, costs }: Report): string {
  const primary = costs[0];
  if (result.status === 'infeasible') return 'No policy meets all bounds.';
  if (result.status === 'no-proper-policy')
    return 'From the start no policy reaches the goal with certainty.';
  if (result.objective === undefined || result.objective === null)
    return 'No feasible policy is known yet.';
  const bounds = result.constraints.length;
  const within =
    ['', ' within the bound', ' within both bounds'][bounds] ?? ` within all ${bounds} bounds`;
  return result.status === 'optimal'
    ? `The least expected ${primary}${within} is ${number(result.objective)}.`
    : `The best policy so far has an expected ${primary} of ${number(result.objective)}.`;
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
  return lines.length > 0 ? h('pre', { class: 'reason', id: 'reason' }, lines.join('\n')) : null;
}

/** A gap of rounding errors only is not worth its digits. */
function gapText(gap: number): string {
  return gap < 1e-6 ? '0.0001 %' : `${number(gap * 100)} %`;
}

function certificate({ result }: Report): string | undefined {
  if (typeof result.lower_bound !== 'number') return undefined;
  const least = `No policy can do better than ${number(result.lower_bound)}`;
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

function boundCard(constraint: Constraint, primary: string): HTMLElement {
  const { cost, bound, value, multiplier } = constraint;
  if (value === undefined)
    return card('bound', cost, `≤ ${number(bound)}`, h('p', {}, 'No policy to compare with.'));
  const slack = Math.abs(bound - value) < 1e-9 * bound ? 0 : bound - value;
  const price = multiplier ?? 0;
  const buys =
    multiplier === undefined
      ? 'No shadow price is known.'
      : price > 1e-9
        ? `One more unit of ${cost} saves up to ${number(price)} ${primary}.`
        : `More ${cost} would save no ${primary}.`;
  const left = slack === 0 ? 'the budget is used up' : `${number(slack)} to spare`;
  return card(
    'bound',
    `expected ${cost}`,
    h('span', {}, number(value), h('small', {}, ` of ${number(bound)}`)),
    gauge(value, bound),
    h('p', {}, h('strong', {}, slack === 0 ? 'Tight: ' : 'Slack: '), left),
    h('p', { class: 'price' }, buys),
  );
}

function policyCard({ policy }: Report): HTMLElement | null {
  if (!policy) return null;
  const coins = policy.stochastic_states;
  return card(
    'policy',
    'policy',
    h('span', {}, digits(policy.total_states), h('small', {}, ' states')),
    h(
      'p',
      {},
      coins === 0 ? 'It never tosses a coin.' : `In ${count(coins, 'state')} it chooses at random.`,
    ),
    h('p', {}, `${number(policy.expected_steps)} actions on average.`),
    policy.given_up > 0
      ? h('p', { class: 'warning' }, `It gives up with probability ${percent(policy.given_up)}.`)
      : null,
  );
}

export function summary(report: Report): HTMLElement {
  const { result, costs } = report;
  const bounded = new Set(result.constraints.map((constraint) => constraint.cost));
  const cards: (HTMLElement | null)[] = [];
  if (typeof result.objective === 'number')
    cards.push(
      card(
        'objective',
        `expected ${costs[0]}`,
        number(result.objective),
        typeof result.lower_bound === 'number'
          ? h('p', {}, `lower bound ${number(result.lower_bound)}`)
          : null,
        typeof result.gap === 'number'
          ? h('p', {}, `gap ${result.gap < 1e-6 ? '< ' : ''}${gapText(result.gap)}`)
          : null,
      ),
    );
  for (const constraint of result.constraints) cards.push(boundCard(constraint, costs[0]));
  for (const name of costs.slice(1))
    if (!bounded.has(name) && result.costs)
      cards.push(
        card('free', `expected ${name}`, number(result.costs[name]), h('p', {}, 'no bound')),
      );
  cards.push(policyCard(report));
  return h('div', { class: 'cards', id: 'summary' }, ...cards);
}
