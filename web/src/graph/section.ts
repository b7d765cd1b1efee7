// The policy's section of the page: its graph, and if it is a mixture, that of each of its parts.
import type { Policy, Report } from '../data';
import { h, section } from '../dom';
import { percent } from '../format';
import { PolicyGraph } from './model';
import { PolicyView } from './view';

const wish = 'carl-show-part';

/** Draws a part of the mixture instead of the policy, and brings the graph into view. */
export function showPart(part: number): void {
  document.dispatchEvent(new CustomEvent(wish, { detail: part }));
}

export function policySection(report: Report): HTMLElement | null {
  const { policy, parts = [], result } = report;
  if (!policy || policy.states.length === 0) return null;
  const place = h('div');
  let view: PolicyView | undefined;
  const show = (chosen: Policy) => {
    view?.dispose();
    view = new PolicyView(new PolicyGraph(chosen, report));
    Object.assign(window, { carlReport: view.api() });
    place.replaceChildren(view.element);
  };
  const weights = result.policy?.mixture ?? [];
  const chooser = h(
    'select',
    { id: 'part' },
    h('option', { value: -1 }, 'the optimal one'),
    ...parts.map((_, i) => {
      const weight = weights[i] ? ` (${percent(weights[i].weight)} of the mixture)` : '';
      return h('option', { value: i }, `part ${i + 1}${weight}`);
    }),
  );
  const choose = () => show(parts[Number(chooser.value)] ?? policy);
  chooser.addEventListener('change', choose);
  show(policy);
  const whole = section(
    'policy',
    'The policy',
    null,
    parts.length > 1
      ? h('div', { class: 'toolbar' }, h('label', {}, h('span', {}, 'policy'), chooser))
      : null,
    place,
  );
  document.addEventListener(wish, (event) => {
    chooser.value = String((event as CustomEvent<number>).detail);
    choose();
    whole.scrollIntoView({ block: 'start' });
  });
  return whole;
}
